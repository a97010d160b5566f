import { expect, test } from "vitest";
import { selfTestWith } from "./self-test.ts";

test("a GPU is tested by the acceleration library; without one the processor computes a known answer", async () => {
  const selfTest = async (uuid: string) => `7 of 4096 sums of ${uuid} are wrong`;
  expect(await selfTestWith({ selfTest })("GPU-1")).toBe("7 of 4096 sums of GPU-1 are wrong");
  expect(await selfTestWith(null)("GPU-1")).toBeNull();
});
