/** What one ended task used, as far as its record says. */
import type { Instant } from "@elastic/std/clock.ts";
import { isTerminal, type Task, type TerminalPhase } from "./task.ts";

export interface TaskUsage {
  readonly phase: TerminalPhase["kind"];
  readonly finishedAt: Instant;
  /** From its creation to the start of its last attempt; null if none was started. */
  readonly queueMs: number | null;
  /** Of its last attempt, as its agent measured. */
  readonly runMs: number | null;
  readonly gpuMs: number;
  readonly slotMs: number;
}

/** Of a task that has not ended nothing can be said. */
export function usageOf(task: Pick<Task, "phase" | "createdAt" | "holds">): TaskUsage {
  const { phase, createdAt, holds } = task;
  if (!isTerminal(phase)) throw new Error(`a task that is ${phase.kind} has used nothing yet`);
  const { kind, startedAt, finishedAt } = phase;
  const runMs = startedAt === null ? null : finishedAt - startedAt;
  return {
    phase: kind,
    finishedAt,
    queueMs: startedAt === null ? null : startedAt - createdAt,
    runMs,
    gpuMs: (runMs ?? 0) * (holds?.gpus ?? 0),
    slotMs: (runMs ?? 0) * (holds?.slots ?? 1),
  };
}
