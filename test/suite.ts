/** The whole suite: what runs at the same time as what. */
import { runApart, type TimedEnd } from "./runners/run-apart.ts";
import { RUNNERS, type RunnerName } from "./runners/runners.ts";
import { setUpFor } from "./set-up.ts";

/** Mostly waits for other processes, so it starts first. */
const FOREGROUND: RunnerName = "system";
/** What time is left goes to these, one after the other: each keeps all cores busy. */
const BACKGROUND: readonly RunnerName[] = ["check", "pure", "component", "cargo", "accel"];

export type Ends = ReadonlyMap<RunnerName, TimedEnd>;

/** Null where set-up failed. */
export async function runSuite({ long }: { readonly long: boolean }): Promise<Ends | null> {
  const ends = new Map<RunnerName, TimedEnd>();
  const run = async (name: RunnerName, background: boolean): Promise<void> => {
    ends.set(name, await runApart(name, { long, background, show: !background }));
  };
  const isSetUp = setUpFor([FOREGROUND, ...BACKGROUND]);
  const inBackground = async (): Promise<void> => {
    for (const name of BACKGROUND) if (RUNNERS[name].needs.length === 0 || (await isSetUp)) await run(name, true);
  };
  const inForeground = async (): Promise<void> => {
    if (await isSetUp) await run(FOREGROUND, false);
  };
  await Promise.all([inForeground(), inBackground()]);
  // Some of these measure memory and time: nothing runs at the same time.
  if (long && (await isSetUp)) await run("long", false);
  return (await isSetUp) ? ends : null;
}

/** One after the other; null where set-up failed. */
export async function runNamed(
  names: readonly RunnerName[],
  { long }: { readonly long: boolean },
): Promise<Ends | null> {
  if (!(await setUpFor(names))) return null;
  const ends = new Map<RunnerName, TimedEnd>();
  for (const name of names) ends.set(name, await runApart(name, { long, background: false, show: true }));
  return ends;
}
