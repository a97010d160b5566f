import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { selfTestWith } from "./self-test.ts";

const log = createLog({ name: "gpus", level: "silent" });

test("a GPU is tested by the acceleration library; without one the processor computes a known answer", async () => {
  const selfTest = async (uuid: string) => ({ failure: `7 of 4096 sums of ${uuid} are wrong`, insteadOfGpu: null });
  expect(await selfTestWith({ selfTest }, log)("GPU-1")).toBe("7 of 4096 sums of GPU-1 are wrong");
  expect(await selfTestWith(null, log)("GPU-1")).toBeNull();
});
