/** What many runs come to. */
import type { Run } from "./run-schedule.ts";

export interface Totals {
  readonly seeds: number;
  readonly failed: number;
  readonly virtualMs: number;
  readonly steps: number;
  readonly tasks: number;
  readonly executions: number;
}

export const NO_RUNS: Totals = { seeds: 0, failed: 0, virtualMs: 0, steps: 0, tasks: 0, executions: 0 };

export function addRun(totals: Totals, { violations, virtualMs, steps, tasks, executions }: Run): Totals {
  return {
    seeds: totals.seeds + 1,
    failed: totals.failed + (violations.length > 0 ? 1 : 0),
    virtualMs: totals.virtualMs + virtualMs,
    steps: totals.steps + steps,
    tasks: totals.tasks + tasks,
    executions: totals.executions + executions,
  };
}

export interface Figures extends Totals {
  readonly wallMs: number;
  readonly seedsPerHour: number;
  readonly virtualSecondsPerSecond: number;
}

export function figuresOf(totals: Totals, wallMs: number): Figures {
  return {
    ...totals,
    wallMs: Math.round(wallMs),
    seedsPerHour: Math.round((totals.seeds / wallMs) * 3_600_000),
    virtualSecondsPerSecond: Math.round(totals.virtualMs / wallMs),
  };
}

export function sentenceOf(figures: Figures): string {
  const { seeds, failed, tasks, executions, wallMs, seedsPerHour, virtualSecondsPerSecond } = figures;
  const number = (value: number) => value.toLocaleString("en");
  return (
    `${number(seeds)} seeds, ${number(failed)} broke a promise; ${number(tasks)} tasks, ${number(executions)} executions; ` +
    `${(wallMs / 1_000).toFixed(1)} s, ${number(seedsPerHour)} seeds an hour, ` +
    `${number(virtualSecondsPerSecond)} virtual seconds per second`
  );
}
