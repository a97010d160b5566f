/** How the background loops of this coordinator fare: each by its last turn. */

import type { Logger } from "@elastic/std/log.ts";
import { type LoopOptions, type Loop as StartedLoop, startLoop, type TurnOutcome } from "@elastic/std/loop.ts";
import { Gauge, type Registry } from "prom-client";

type LoopName =
  | "compare_clocks"
  | "share_contacts"
  | "create_batches"
  | "expire_history"
  | "follow_releases"
  | "forget_expired"
  | "measure_demand"
  | "measure_logs"
  | "measure_store"
  | "move_audit_entries"
  | "move_tasks"
  | "prepare_builds"
  | "remove_deleted"
  | "renew_credentials"
  | "scrub_blobs"
  | "size_pools"
  | "sweep_blobs"
  | "sweep_images"
  | "tidy_deliveries"
  | "upgrade_agents"
  | "write_key_uses";

export interface LoopMetrics {
  turned(loop: LoopName, kind: TurnOutcome["kind"]): void;
  /**
   * The series of a loop are there only while it is active. `check` is called by each scrape and before each turn, so that none
   * is left of an earlier leader term. `stop` ends that.
   */
  started(loop: LoopName, isActive: () => boolean): { check(): boolean; stop(): void };
}

export function createLoopMetrics(registry: Registry): LoopMetrics {
  const active = new Set<LoopName>();
  const checks = new Set<() => void>();
  const options = {
    labelNames: ["loop"],
    registers: [registry],
    collect: () => {
      for (const check of checks) check();
    },
  };
  const failing = new Gauge({
    ...options,
    name: "elastic_loop_failing",
    help: "1 where the last turn of a background loop failed; absent while the loop rests, as the leader's do elsewhere.",
  });
  const succeeded = new Gauge({
    ...options,
    name: "elastic_loop_last_success_timestamp_seconds",
    help: "When a turn of a background loop succeeded last; absent while the loop rests.",
  });
  const since = new Gauge({
    ...options,
    name: "elastic_loop_active_since_timestamp_seconds",
    help: "Since when a background loop has run in this coordinator; absent while the loop rests.",
  });
  const noteRest = (loop: LoopName) => {
    active.delete(loop);
    for (const gauge of [failing, succeeded, since]) gauge.remove({ loop });
  };
  const noteActive = (loop: LoopName) => {
    if (active.has(loop)) return;
    active.add(loop);
    since.setToCurrentTime({ loop });
  };
  return {
    turned: (loop, kind) => {
      failing.set({ loop }, kind === "failed" ? 1 : 0);
      if (kind === "succeeded") succeeded.setToCurrentTime({ loop });
    },
    started: (loop, isActive) => {
      const check = () => {
        const isNow = isActive();
        if (isNow) noteActive(loop);
        else noteRest(loop);
        return isNow;
      };
      checks.add(check);
      check();
      return {
        check,
        stop: () => {
          checks.delete(check);
          noteRest(loop);
        },
      };
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
  isActive = () => true,
  ...options
}: MeteredLoop): StartedLoop {
  const metered = loops.started(name, isActive);
  const loop = startLoop({
    ...options,
    isActive: () => metered.check(),
    onOutcome: (outcome) => {
      loops.turned(name, outcome.kind);
      if (outcome.kind === "failed") log[failureLevel]({ err: outcome.error, retryInMs: outcome.retryInMs }, failure);
    },
  });
  return {
    wake: () => loop.wake(),
    stop: async () => {
      await loop.stop();
      metered.stop();
    },
  };
}
