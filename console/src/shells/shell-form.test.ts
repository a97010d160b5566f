import { expect, test } from "vitest";
import { EMPTY_FORM, newShellRequest } from "./shell-form.ts";

test("leaves out what the service decides on its own", () => {
  const request = newShellRequest({ ...EMPTY_FORM, name: "  " });
  expect(Object.keys(request)).not.toEqual(expect.arrayContaining(["shell_name"]));
  expect(request).not.toHaveProperty("image");
  expect(request).not.toHaveProperty("gpu_count");
});

test("converts hours, cores and GiB to the units of the API", () => {
  const form = { ...EMPTY_FORM, name: " lab ", gpuType: "H100", gpuCount: 2, cpus: 1.5, memoryGib: 0.5, homeGib: 1 };
  expect(newShellRequest({ ...form, longestLifeHours: 2, idleStopHours: null })).toMatchObject({
    shell_name: "lab",
    gpu_type: "H100",
    gpu_count: 2,
    cpu_millis: 1_500,
    memory_bytes: 2 ** 29,
    home_bytes: 2 ** 30,
    longest_life_seconds: 7_200,
    idle_stop_seconds: null,
  });
});
