/** The benchmark on the library itself, at a size that takes no time. */
import { expect, test } from "vitest";
import { ACCEL_LIBRARY } from "../../testing/start-test-agent.ts";
import { Accelerator } from "./accelerator.ts";
import { measure } from "./benchmark.ts";
import { bindZka } from "./bind.ts";

test("each figure is measured for as long as was asked for, and says how long it has been", () => {
  const told: string[] = [];
  const began = performance.now();
  const accelerator = new Accelerator(bindZka(ACCEL_LIBRARY), "cpu");
  const speed = measure(accelerator, { log2: 8, seconds: 1, tell: (doing) => void told.push(doing) });
  expect(performance.now() - began).toBeGreaterThanOrEqual(2_000);
  expect([...new Set(told.map((doing) => doing.split(",")[0]))]).toEqual([
    "makes 2^8 points",
    "multiplies",
    "transforms",
  ]);
  for (const what of ["multiplies", "transforms"]) expect(told.join()).toMatch(new RegExp(`${what}, [1-9]\\d* of 1 s`));
  expect(speed.msmPointsPerSecond).toBeGreaterThan(256);
  expect(speed.nttElementsPerSecond).toBeGreaterThan(256);
});
