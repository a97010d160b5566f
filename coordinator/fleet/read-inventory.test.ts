import { Gpu, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { expect, test } from "vitest";
import { readInventory } from "./read-inventory.ts";

const NONE = { msmPointsPerSecond: 0, nttElementsPerSecond: 0 };
const SPEED = { msmPointsPerSecond: 2e6, nttElementsPerSecond: 8e6 };

test("reads the measured speeds of devices as they were reported", () => {
  const gpus = [Gpu.fromPartial({ uuid: "g1", speed: SPEED }), Gpu.fromPartial({ uuid: "g2" })];
  const read = readInventory(Inventory.fromPartial({ gpus, cpuSpeed: SPEED }));
  expect(read.cpuSpeed).toEqual(SPEED);
  expect(read.gpus.map(({ speed }) => speed)).toEqual([SPEED, undefined]);
  expect(readInventory(Inventory.fromPartial({}))).not.toHaveProperty("cpuSpeed");
});

test("reads only the sum of the scores of very many GPUs, where the record cannot hold their speeds", () => {
  const read = (count: number, speed = SPEED) => {
    const gpus = Array.from({ length: count }, () => Gpu.fromPartial({ uuid: "g", speed }));
    const { gpus: kept, gpusScore } = readInventory(Inventory.fromPartial({ gpus, cpuSpeed: SPEED }));
    return { speeds: kept.map((gpu) => gpu.speed), gpusScore };
  };
  expect(read(16)).toEqual({ speeds: Array.from({ length: 16 }, () => SPEED), gpusScore: undefined });
  expect(read(17)).toEqual({ speeds: Array.from({ length: 17 }, () => undefined), gpusScore: 68 });
  expect(read(17, NONE).gpusScore).toBeUndefined();
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

test("reads why a machine takes no new workloads, as one bounded line", () => {
  const read = (diskPressure?: string) =>
    readInventory(Inventory.fromPartial(diskPressure === undefined ? {} : { diskPressure }));
  expect(read("the disk\u202e is\n full").diskPressure).toBe("the disk is full");
  expect(read("x".repeat(1_000)).diskPressure).toHaveLength(300);
  for (const none of [undefined, ""]) expect(read(none)).not.toHaveProperty("diskPressure");
});
