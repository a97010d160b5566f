/** The whole suite: what runs at the same time as what. */
import { runApart, type TimedEnd } from "./runners/run-apart.ts";
import { RUNNERS, type RunnerName } from "./runners/runners.ts";
import { setUpFor } from "./set-up.ts";

/** Some of these measure how soon something happens. What needs no set-up runs during set-up. */
const FOREGROUND: readonly RunnerName[] = ["pure", "system", "component"];
/** What time those leave, since they mostly wait, goes to these: each keeps all cores busy. */
const BACKGROUND: readonly RunnerName[] = ["check", "cargo", "accel"];

export type Ends = ReadonlyMap<RunnerName, TimedEnd>;

/** Null where set-up failed. */
export async function runSuite({ long }: { readonly long: boolean }): Promise<Ends | null> {
  const ends = new Map<RunnerName, TimedEnd>();
  const run = async (name: RunnerName, background: boolean): Promise<void> => {
    ends.set(name, await runApart(name, { long, background, show: !background }));
  };
  const isSetUp = setUpFor([...FOREGROUND, ...BACKGROUND]);
  const runAll = async (names: readonly RunnerName[], background: boolean): Promise<void> => {
    for (const name of names) if (RUNNERS[name].needs.length === 0 || (await isSetUp)) await run(name, background);
  };
  await Promise.all([runAll(FOREGROUND, false), runAll(BACKGROUND, true)]);
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
