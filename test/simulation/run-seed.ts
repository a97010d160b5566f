/** All that there is to a seed: the run of its schedule and, where that breaks a promise, the fewest events that do. */
import type { Bug } from "./fleet-under-test.ts";
import { type Run, runSchedule } from "./run-schedule.ts";
import { drawSchedule } from "./schedule.ts";
import { shrinkRun } from "./shrink-run.ts";
import { timelineOf } from "./timeline.ts";

export interface SeedOptions {
  /** Virtual ones. */
  readonly seconds: number;
  readonly bug: Bug | null;
}

export interface SeedRun {
  readonly seed: number;
  readonly run: Run;
  /** Events of the schedule. */
  readonly events: number;
  /** Null where every promise held. */
  readonly shrunk: { readonly events: number; readonly tried: number; readonly timeline: readonly string[] } | null;
}

export async function runSeed(seed: number, { seconds, bug }: SeedOptions): Promise<SeedRun> {
  const schedule = drawSchedule(seed, seconds);
  const run = await runSchedule(schedule, { bug });
  const { length: events } = schedule.events;
  if (run.violations.length === 0) return { seed, run, events, shrunk: null };
  const shrunk = await shrinkRun(schedule, run, { bug });
  const timeline = await timelineOf(shrunk.schedule, { bug });
  return { seed, run, events, shrunk: { events: shrunk.schedule.events.length, tried: shrunk.tried, timeline } };
}
