import { expect, test } from "vitest";
import { nowUs } from "./now-us.ts";
import { runLoad } from "./run-load.ts";

test("has exactly the given number in flight when it saturates", async () => {
  let inFlight = 0;
  let most = 0;
  const report = await runLoad({ kind: "saturate", what: "task", inFlight: 5, seconds: 0.05 }, async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight -= 1;
    return { startedUs: nowUs(), tasks: 10 };
  });
  expect(most).toBe(5);
  expect(report.startMs.length).toBe(report.doneMs.length);
  expect(report.tasksPerSecond).toBeGreaterThan(report.doneMs.length);
});

test("submits at the times of a rate, however slow the responses are", async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let submitted = 0;
  const report = await runLoad({ kind: "rate", what: "task", perSecond: 1000, seconds: 0.02 }, async () => {
    submitted += 1;
    if (submitted === 20) release();
    await released;
    return { startedUs: null, tasks: 1 };
  });
  expect(report.doneMs).toHaveLength(20);
  expect(report.startMs).toEqual([]);
});

test("fails the measurement on one failure", async () => {
  const failing = async () => {
    throw new Error("refused");
  };
  const order = { what: "task", seconds: 0.02 };
  await expect(runLoad({ ...order, kind: "rate", perSecond: 100 }, failing)).rejects.toThrow("refused");
  await expect(runLoad({ ...order, kind: "saturate", inFlight: 2 }, failing)).rejects.toThrow("refused");
});
