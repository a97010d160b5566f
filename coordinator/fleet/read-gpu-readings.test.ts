import { expect, test } from "vitest";
import { readGpuReadings } from "./read-gpu-readings.ts";

test("keeps what an agent read, and null for what it did not", () => {
  const readings = readGpuReadings([
    { uuid: "GPU-1", temperatureCelsius: 61.5, usedBytes: 5n, utilisation: 0.25 },
    { uuid: "GPU-2" },
  ]);
  expect([...readings]).toEqual([
    ["GPU-1", { temperatureCelsius: 61.5, usedBytes: 5, utilisation: 0.25 }],
    ["GPU-2", { temperatureCelsius: null, usedBytes: null, utilisation: null }],
  ]);
});

test("drops values that make no sense, and what is too much", () => {
  const odd = { uuid: "GPU-1", temperatureCelsius: Number.NaN, usedBytes: 2n ** 64n - 1n, utilisation: -1 };
  expect(readGpuReadings([odd]).get("GPU-1")).toEqual({ temperatureCelsius: null, usedBytes: null, utilisation: null });
  const many = Array.from({ length: 5_000 }, (_, at) => ({ uuid: `${at}`.repeat(100) }));
  const readings = readGpuReadings(many);
  expect(readings.size).toBeLessThanOrEqual(1_024);
  for (const uuid of readings.keys()) expect(uuid.length).toBeLessThanOrEqual(128);
});
