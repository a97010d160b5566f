/** The benchmark on the library itself, at a size that takes no time. */
import { expect, test } from "vitest";
import { ACCEL_LIBRARY } from "../../testing/start-test-agent.ts";
import { Accelerator } from "./accelerator.ts";
import { measure } from "./benchmark.ts";
import { bindZka } from "./bind.ts";

// Loaded once: a process has one.
const ZKA = bindZka(ACCEL_LIBRARY);

test("measures each figure for the requested time, and says how long it took", () => {
  const reported: string[] = [];
  const began = performance.now();
  const accelerator = new Accelerator(ZKA, "cpu");
  const speed = measure(accelerator, { log2: 8, seconds: 1, report: (doing) => void reported.push(doing) });
  expect(performance.now() - began).toBeGreaterThanOrEqual(2_000);
  expect([...new Set(reported.map((doing) => doing.split(",")[0]))]).toEqual([
    "makes 2^8 points",
    "multiplies",
    "transforms",
  ]);
  for (const what of ["multiplies", "transforms"])
    expect(reported.join()).toMatch(new RegExp(`${what}, [1-9]\\d* of 1 s`));
  expect(speed.msmPointsPerSecond).toBeGreaterThan(256);
  expect(speed.nttElementsPerSecond).toBeGreaterThan(256);
});

/** Each of its sums takes most of a second. */
class Slow extends Accelerator {
  override multiplier(...of: Parameters<Accelerator["multiplier"]>): ReturnType<Accelerator["multiplier"]> {
    const multiply = super.multiplier(...of);
    return (scalars) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
      return multiply(scalars);
    };
  }
}

test("reports no more time than was requested", () => {
  const reported: string[] = [];
  const slow = new Slow(ZKA, "cpu");
  measure(slow, { log2: 8, seconds: 0.2, report: (doing) => void reported.push(doing) });
  const times = reported.filter((doing) => doing.startsWith("multiplies")).slice(0, 2);
  expect(times).toEqual(["multiplies, 0 of 0.2 s", "multiplies, 0.2 of 0.2 s"]);
});
