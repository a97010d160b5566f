import { expect, test } from "vitest";
import { cpuSecondsIn } from "./cpu-clock.ts";

test("adds the times of a process and of its ended children, whatever its name", () => {
  const stat = "12 (a) b) c) S 1 12 12 0 -1 4194304 5 6 7 8 150 50 1000 300 20 0 1 0 99";
  expect(cpuSecondsIn(stat)).toBe(15);
});
