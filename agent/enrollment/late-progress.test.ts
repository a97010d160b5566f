import { expect, test } from "vitest";
import { lateProgress } from "./late-progress.ts";

test("what was newest when it took long is told, and all that comes after it", async () => {
  const told: string[] = [];
  const progress = lateProgress(20, (line) => told.push(line));
  progress.report("first");
  progress.report("second");
  expect(told).toEqual([]);
  await expect.poll(() => told).toEqual(["second"]);
  progress.report("third");
  expect(told).toEqual(["second", "third"]);
});

test("of what ended in time nothing is told", async () => {
  const told: string[] = [];
  const [early, late] = [1, 2].map((ms) => lateProgress(ms, (line) => told.push(line)));
  early?.report("early");
  early?.end();
  late?.report("late");
  await expect.poll(() => told).toEqual(["late"]);
});
