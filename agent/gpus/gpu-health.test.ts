import { expect, test } from "vitest";
import { HEALTHY, isTestDue, quarantined, tested, whyNotFree, whyUnhealthy } from "./gpu-health.ts";
import { aReading } from "./testing/readings.ts";
import { xidMeaning } from "./xids.ts";

const TIMES = { firstMs: 1_000, longestMs: 6_000 };

test("a quarantined GPU is tested after a while, and is well once it passed", () => {
  const ill = quarantined(HEALTHY, "it fell off the bus", 100, TIMES);
  expect(ill).toMatchObject({ kind: "quarantined", why: "it fell off the bus" });
  expect([isTestDue(ill, 1_099), isTestDue(ill, 1_100), isTestDue(HEALTHY, 9e9)]).toEqual([false, true, false]);
  expect(tested(ill, null, 1_100, TIMES)).toEqual(HEALTHY);
});

test("a self-test that fails is made again, twice as late each time up to a limit", () => {
  let health = quarantined(HEALTHY, "x", 0, TIMES);
  const waits: number[] = [];
  for (let n = 0; n < 4; n++) {
    health = tested(health, "wrong answer", 0, TIMES);
    waits.push(health.kind === "quarantined" ? health.testAtMs : 0);
  }
  expect(waits).toEqual([2_000, 4_000, 6_000, 6_000]);
});

test("what happens to a GPU in quarantine puts its self-test off, and does not forget those that failed", () => {
  const once = tested(quarantined(HEALTHY, "x", 0, TIMES), "wrong answer", 0, TIMES);
  expect(quarantined(once, "y", 500, TIMES)).toMatchObject({ why: "y", testsFailed: 1, testAtMs: 2_500 });
});

test("why a GPU is not given out names the cause, and the self-test that has failed since", () => {
  const ill = quarantined(HEALTHY, "it fell off the bus", 0, TIMES);
  expect(whyUnhealthy(ill)).toBe("it fell off the bus");
  const failed = tested(ill, "wrong answer", 0, TIMES);
  expect(whyUnhealthy(failed)).toBe("it fell off the bus; its self-test failed: wrong answer");
  expect(whyUnhealthy(quarantined(failed, "an error in memory", 0, TIMES))).toBe("an error in memory");
  expect(whyUnhealthy(tested(failed, null, 0, TIMES))).toBeNull();
});

test.each([
  { says: "idle", given: { usedBytes: 4 * 1024 ** 2 }, why: null },
  { says: "a process", given: { processes: [{ pid: 7, memoryBytes: null }] }, why: /process 7/ },
  { says: "memory without a process", given: { usedBytes: 1024 ** 3 }, why: /1024 MiB/ },
  { says: "the driver's own, where that is counted", given: { usedBytes: 2 ** 30, countsReserved: true }, why: null },
  { says: "no word of processes", given: { processes: null, usedBytes: 3 * 2 ** 30 }, why: /3072 MiB/ },
])("decides by processes and memory whether a GPU is free: $says", ({ given, why }) => {
  const said = whyNotFree(aReading("GPU-1", given));
  if (why === null) expect(said).toBeNull();
  else expect(said).toMatch(why);
});

test.each([48, 64, 74, 79, 94, 95, 119, 140])("Xid %i makes a bad GPU", (xid) => {
  expect(xidMeaning(xid).verdict).toBe("fault");
});

test.each([8, 13, 31, 43, 45, 63, 12_345])("Xid %i is a program's or nobody's, and makes no bad GPU", (xid) => {
  expect(xidMeaning(xid).verdict).toBe("note");
});
