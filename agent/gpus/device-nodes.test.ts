import { expect, test } from "vitest";
import { deviceNodes } from "./device-nodes.ts";
import { aReading } from "./testing/readings.ts";

const MINORS = "config 1\nmonitor 2\ngpu3/gi7/access 12\ngpu3/gi7/ci0/access 13\ngpu3/gi8/access 21\n";
const paths = (...args: Parameters<typeof deviceNodes>) => deviceNodes(...args).map(({ path }) => path);

test("a GPU is reached by its own file and the driver's", () => {
  expect(paths([aReading("GPU-1", { minor: 3 })], "")).toEqual(["/dev/nvidia3", "/dev/nvidiactl", "/dev/nvidia-uvm"]);
});

test("an instance is reached by its GPU's file and by its rights", () => {
  expect(paths([aReading("MIG-1", { minor: 3, instance: { gpu: 7, compute: 0 } })], MINORS)).toEqual([
    "/dev/nvidia3",
    "/dev/nvidiactl",
    "/dev/nvidia-uvm",
    "/dev/nvidia-caps/nvidia-cap12",
    "/dev/nvidia-caps/nvidia-cap13",
  ]);
});

test("a workload without GPU needs none", () => {
  expect(deviceNodes([], MINORS)).toEqual([]);
});
