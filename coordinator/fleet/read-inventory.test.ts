import { Gpu, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { expect, test } from "vitest";
import { readInventory } from "./read-inventory.ts";

const SPEED = { msmPointsPerSecond: 2e6, nttElementsPerSecond: 8e6 };

test("what devices were measured at is kept as it was said", () => {
  const gpus = [Gpu.fromPartial({ uuid: "g1", speed: SPEED }), Gpu.fromPartial({ uuid: "g2" })];
  const read = readInventory(Inventory.fromPartial({ gpus, cpuSpeed: SPEED }));
  expect(read.cpuSpeed).toEqual(SPEED);
  expect(read.gpus.map(({ speed }) => speed)).toEqual([SPEED, undefined]);
  expect(readInventory(Inventory.fromPartial({}))).not.toHaveProperty("cpuSpeed");
});

test("of a machine with very many GPUs their speeds are left out, so that its record can hold them", () => {
  const gpus = (count: number) => Array.from({ length: count }, () => Gpu.fromPartial({ uuid: "g", speed: SPEED }));
  const speedsOf = (count: number) =>
    readInventory(Inventory.fromPartial({ gpus: gpus(count) })).gpus.map((gpu) => gpu.speed);
  expect(speedsOf(16)).toEqual(Array.from({ length: 16 }, () => SPEED));
  expect(speedsOf(17)).toEqual(Array.from({ length: 17 }, () => undefined));
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e16])(
  "a rate of %s is none, and its device has no speed",
  (rate) => {
    for (const wrong of [
      { ...SPEED, msmPointsPerSecond: rate },
      { ...SPEED, nttElementsPerSecond: rate },
    ]) {
      const read = readInventory(Inventory.fromPartial({ cpuSpeed: wrong, gpus: [{ uuid: "g1", speed: wrong }] }));
      expect(read).not.toHaveProperty("cpuSpeed");
      expect(read.gpus[0]).not.toHaveProperty("speed");
    }
  },
);
