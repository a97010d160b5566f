/** How the background loops of this coordinator fare: each by its last turn. */

import type { Logger } from "@elastic/std/log.ts";
import { type LoopOptions, type Loop as StartedLoop, startLoop, type TurnOutcome } from "@elastic/std/loop.ts";
import { Gauge, type Registry } from "prom-client";

type LoopName =
  | "compare_clocks"
  | "share_contacts"
  | "expire_history"
  | "follow_releases"
  | "forget_expired"
  | "measure_logs"
  | "measure_store"
  | "move_audit_entries"
  | "move_tasks"
  | "prepare_builds"
  | "remove_deleted"
  | "renew_credentials"
  | "scrub_blobs"
  | "sweep_blobs"
  | "sweep_images"
  | "tidy_deliveries"
  | "write_key_uses";

export interface LoopMetrics {
  turned(loop: LoopName, kind: TurnOutcome["kind"]): void;
}

export function createLoopMetrics(registry: Registry): LoopMetrics {
  const registers = [registry];
  const failing = new Gauge({
    name: "elastic_loop_failing",
    help: "1 where the last turn of a background loop failed.",
    labelNames: ["loop"],
    registers,
  });
  const succeeded = new Gauge({
    name: "elastic_loop_last_success_timestamp_seconds",
    help: "When a turn of a background loop succeeded last.",
    labelNames: ["loop"],
    registers,
  });
  return {
    turned: (loop, kind) => {
      failing.set({ loop }, kind === "failed" ? 1 : 0);
      if (kind === "succeeded") succeeded.setToCurrentTime({ loop });
    },
  };
}

export interface MeteredLoop extends Omit<LoopOptions, "onOutcome"> {
  readonly name: LoopName;
  readonly loops: LoopMetrics;
  readonly log: Logger;
  /** What the log says of a turn that failed. */
  readonly failure: string;
  /** `warn` where it is left out. */
  readonly failureLevel?: "debug" | "warn";
}

export function startMeteredLoop({
  name,
  loops,
  log,
  failure,
  failureLevel = "warn",
  ...options
}: MeteredLoop): StartedLoop {
  return startLoop({
    ...options,
    onOutcome: (outcome) => {
      loops.turned(name, outcome.kind);
      if (outcome.kind === "failed") log[failureLevel]({ err: outcome.error, retryInMs: outcome.retryInMs }, failure);
    },
  });
}
