import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { startLogMeasure } from "./measure-loop.ts";

const log = createLog({ name: "test", level: "silent" });

test("reports the size of all logs while it leads, and none otherwise", async () => {
  const reported: number[] = [];
  const outcomes: string[] = [];
  const sizes = [async () => 12_345, () => Promise.reject(new Error("no such disk"))];
  let isLeading = true;
  const loop = startLogMeasure({
    logs: {
      totalBytes: async () => {
        const answer = sizes.shift();
        isLeading = sizes.length > 0;
        return (await answer?.()) ?? 0;
      },
    },
    metrics: {
      logs: { stored: (bytes) => void reported.push(bytes) },
      loops: {
        turned: (loop, outcome) => void outcomes.push(`${loop} ${outcome}`),
        started: (_loop, isActive) => ({ check: isActive, stop: () => undefined }),
      },
    },
    isLeading: () => isLeading,
    everyMs: 1,
    log,
  });
  await expect.poll(() => reported.length).toBeGreaterThan(1);
  await loop.stop();
  expect(reported.slice(0, 2)).toEqual([12_345, 0]);
  expect(outcomes).toEqual(["measure_logs succeeded", "measure_logs failed"]);
});
