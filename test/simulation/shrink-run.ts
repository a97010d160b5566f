/** Finds the fewest events of a schedule with which a run still breaks a promise. */
import { type Run, type RunOptions, runSchedule } from "./run-schedule.ts";
import type { Schedule, SimulatedEvent } from "./schedule.ts";
import { shrink } from "./shrink.ts";

export interface Shrunk {
  readonly schedule: Schedule;
  readonly run: Run;
  /** Runs that it took. */
  readonly tried: number;
}

/** `run` is that of the complete schedule, and has violations. Which of them is left does not matter. */
export async function shrinkRun(schedule: Schedule, run: Run, options: Pick<RunOptions, "bug"> = {}): Promise<Shrunk> {
  let [best, tried] = [run, 0];
  const fails = async (events: readonly SimulatedEvent[]): Promise<boolean> => {
    tried += 1;
    const outcome = await runSchedule({ ...schedule, events }, options);
    if (outcome.violations.length === 0) return false;
    best = outcome;
    return true;
  };
  const events = await shrink(schedule.events, fails);
  return { schedule: { ...schedule, events }, run: best, tried };
}
