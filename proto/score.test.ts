import { expect, test } from "vitest";
import { deviceScore, machineScore } from "./score.ts";

const speed = (points: number, elements: number) => ({ msmPointsPerSecond: points, nttElementsPerSecond: elements });

test("a device's score is the geometric mean of its rates in millions a second", () => {
  expect(deviceScore(speed(2e6, 8e6))).toBe(4);
  expect(deviceScore(speed(4e6, 4e6))).toBe(4);
  expect(deviceScore(speed(1_234_567, 1_234_567))).toBe(1.23);
});

test("a machine counts its GPUs, those that were measured; its CPU only where it has none", () => {
  const [slow, fast] = [speed(1e6, 1e6), speed(3e8, 3e8)];
  expect(machineScore(slow, [])).toBe(1);
  expect(machineScore(slow, [fast, null, fast])).toBe(600);
  expect(machineScore(slow, [null])).toBeNull();
  expect(machineScore(null, [])).toBeNull();
});
