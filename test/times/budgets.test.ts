import { expect, test } from "vitest";
import { overBudget } from "./budgets.ts";

const BUDGETS = { pure: { of: "cpu", seconds: 60 }, system: { of: "wall", seconds: 400 } } as const;
const runner = (name: string, seconds: number, cpuSeconds: number | null) => ({ name, seconds, cpuSeconds });

test("names a runner that took more than its budget, in the time that the budget is of", () => {
  expect(overBudget([runner("pure", 10, 61), runner("system", 401, 5)], BUDGETS)).toEqual([
    "pure took 61 s of CPU time; its budget is 60 s (test/README.md)",
    "system took 401 s of wall time; its budget is 400 s (test/README.md)",
  ]);
});

test("reports no runner within its budget, without one, or without a clock", () => {
  const within = [runner("pure", 100, 60), runner("system", 400, 900), runner("check", 999, 999)];
  expect(overBudget([...within, runner("pure", 100, null)], BUDGETS)).toEqual([]);
});
