import { expect, test } from "vitest";
import { lateProgress } from "./late-progress.ts";

test("reports the newest line once it takes long, and each line after it", async () => {
  const reported: string[] = [];
  const progress = lateProgress(20, (line) => reported.push(line));
  progress.report("first");
  progress.report("second");
  expect(reported).toEqual([]);
  await expect.poll(() => reported).toEqual(["second"]);
  progress.report("third");
  expect(reported).toEqual(["second", "third"]);
});

test("reports nothing of what ends in time", async () => {
  const reported: string[] = [];
  const [early, late] = [1, 2].map((ms) => lateProgress(ms, (line) => reported.push(line)));
  early?.report("early");
  early?.end();
  late?.report("late");
  await expect.poll(() => reported).toEqual(["late"]);
});
