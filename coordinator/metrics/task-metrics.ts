/** The life of tasks, counted by whoever committed the step, so that several coordinators add up. */
import { Counter, Histogram, type Registry } from "prom-client";
import { FAILURE_REASONS, type FailureReason, phaseOf } from "../domain/failure.ts";
import type { TerminalPhase } from "../domain/task.ts";

export interface TaskMetrics {
  created(inputBytes: number): void;
  /** A claim was committed, `waitMs` after the task was created. */
  claimed(waitMs: number): void;
  /** An attempt is known to have reached its prover, `waitMs` after the task was created. */
  started(waitMs: number): void;
  /** An attempt failed and the task waits again. */
  requeued(reason: FailureReason): void;
  /** `lifeMs` from creation to the end; `reason` is null for a success. */
  ended(phase: TerminalPhase["kind"], reason: FailureReason | null, lifeMs: number): void;
  /** A report came from an attempt that is no longer current. */
  stale(): void;
}

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600, 3600];

export function createTaskMetrics(registry: Registry): TaskMetrics {
  const registers = [registry];
  const created = new Counter({ name: "elastic_tasks_created_total", help: "Tasks acknowledged.", registers });
  const inputBytes = new Counter({
    name: "elastic_task_input_bytes_total",
    help: "Bytes of input of the acknowledged tasks.",
    registers,
  });
  const claimed = histogram("elastic_task_create_to_claim_seconds", "From creation to the claim of a slot.");
  const started = histogram("elastic_task_create_to_start_seconds", "From creation to the start of the prover.");
  const life = histogram("elastic_task_life_seconds", "From creation to the end.");
  const requeued = new Counter({
    name: "elastic_task_requeues_total",
    help: "Attempts that failed and will be repeated.",
    labelNames: ["reason"],
    registers,
  });
  const ended = new Counter({
    name: "elastic_tasks_ended_total",
    help: "Tasks that ended, by phase and reason (`none` for a success).",
    labelNames: ["phase", "reason"],
    registers,
  });
  // An alert that looks for growth would not see the first of a kind.
  for (const reason of FAILURE_REASONS) ended.inc({ phase: phaseOf(reason), reason }, 0);
  ended.inc({ phase: "succeeded", reason: "none" }, 0);
  const stale = new Counter({
    name: "elastic_attempt_reports_stale_total",
    help: "Reports refused because their attempt is no longer current.",
    registers,
  });
  return {
    created: (bytes) => {
      created.inc();
      inputBytes.inc(bytes);
    },
    claimed: (waitMs) => claimed.observe(seconds(waitMs)),
    started: (waitMs) => started.observe(seconds(waitMs)),
    requeued: (reason) => requeued.inc({ reason }),
    ended: (phase, reason, lifeMs) => {
      ended.inc({ phase, reason: reason ?? "none" });
      life.observe(seconds(lifeMs));
    },
    stale: () => stale.inc(),
  };

  function histogram(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: LATENCY_BUCKETS_S, registers });
  }
}

/** Wall clocks may step back between two stamps. */
function seconds(elapsedMs: number): number {
  return Math.max(0, elapsedMs) / 1000;
}
