/** What each runner may take, so that the whole suite stays under 25 minutes as tests are added (test/README.md). */
import type { RunnerTimes } from "./test-times.ts";

export interface Budget {
  /** Wall time, for what mostly waits; CPU time, for what keeps cores busy and takes longer next to others. */
  readonly of: "wall" | "cpu";
  readonly seconds: number;
}

const BUDGETS: Readonly<Record<string, Budget>> = {
  check: { of: "cpu", seconds: 40 },
  pure: { of: "cpu", seconds: 40 },
  component: { of: "cpu", seconds: 400 },
  system: { of: "wall", seconds: 650 },
  cargo: { of: "cpu", seconds: 500 },
  accel: { of: "cpu", seconds: 350 },
};

/** A sentence for each runner that took more than it may. */
export function overBudget(
  runners: readonly Pick<RunnerTimes, "name" | "seconds" | "cpuSeconds">[],
  budgets: Readonly<Record<string, Budget>> = BUDGETS,
): readonly string[] {
  return runners.flatMap(({ name, seconds, cpuSeconds }) => {
    const budget = budgets[name];
    const took = budget?.of === "cpu" ? cpuSeconds : seconds;
    if (budget === undefined || took === null || took <= budget.seconds) return [];
    const what = budget.of === "cpu" ? "CPU time" : "wall time";
    return [`${name} took ${Math.round(took)} s of ${what}; its budget is ${budget.seconds} s (test/README.md)`];
  });
}
