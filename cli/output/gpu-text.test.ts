import { expect, test } from "vitest";
import { gpuWishText } from "./gpu-text.ts";

test.each([
  [{ gpu_count: 2 }, "2 of any type"],
  [{ gpu_model: "H100" }, "1 of H100"],
  [{ gpu_count: 2, gpu_memory_bytes: 40e9 }, "2 of any type, 40 GB or more each"],
  [{ gpu_mig_profile: "1g.10gb" }, "1 1g.10gb of any type"],
  [{ cpu_millis: 500 }, null],
  [{ gpu_count: 0 }, null],
  [undefined, null],
])("says of a request for %j: %j", (wanted, text) => {
  expect(gpuWishText(wanted)).toBe(text);
});
