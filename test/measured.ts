/** Runs runners and prints what each counted and where the time went. */
import { add, type Count, NONE } from "./runners/count.ts";
import type { Ends } from "./suite.ts";
import { overBudget } from "./times/budgets.ts";
import { cpuSeconds } from "./times/cpu-clock.ts";
import { watchMemory } from "./times/memory-peak.ts";
import { setUpTimings } from "./times/set-up-times.ts";
import { type TestTimes, timesTable, writeTimes } from "./times/test-times.ts";

/** `whole`: it is the whole suite, whose times are stored and compared with the budgets. */
export async function measured(
  work: () => Promise<Ends | null>,
  { whole }: { readonly whole: boolean },
): Promise<Count> {
  using memory = watchMemory();
  const began = performance.now();
  const before = setUpTimings();
  const ends = await work();
  if (ends === null) return { ...NONE, failed: 1 };
  const runners = [...ends].map(([name, end]) => ({ name, ...end }));
  const times: TestTimes = {
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: cpuSeconds(),
    peakMemoryMib: memory.mib(),
    // Where nothing else was set up, the first steps are found twice.
    setUp: [...new Map([...before, ...setUpTimings()].map((step) => [step.name, step])).values()],
    runners,
  };
  console.log(`\n${timesTable(times)}`);
  if (whole) {
    writeTimes(times);
    for (const warning of overBudget(runners)) console.log(`WARNING: ${warning}`);
  }
  for (const { name, notes } of runners) for (const note of notes) console.log(`${name}: ${note}`);
  return runners.map(({ count }) => count).reduce(add, NONE);
}
