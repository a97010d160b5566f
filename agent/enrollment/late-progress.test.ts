import { expect, test } from "vitest";
import { lateProgress } from "./late-progress.ts";

test("reports the newest line once it takes long, and each line after it", async () => {
  const told: string[] = [];
  const progress = lateProgress(20, (line) => told.push(line));
  progress.report("first");
  progress.report("second");
  expect(told).toEqual([]);
  await expect.poll(() => told).toEqual(["second"]);
  progress.report("third");
  expect(told).toEqual(["second", "third"]);
});

test("reports nothing of what ends in time", async () => {
  const told: string[] = [];
  const [early, late] = [1, 2].map((ms) => lateProgress(ms, (line) => told.push(line)));
  early?.report("early");
  early?.end();
  late?.report("late");
  await expect.poll(() => told).toEqual(["late"]);
});
