import { expect, test } from "vitest";
import { imageVolumes } from "./image-volumes.ts";

const volumesOf = (...paths: readonly string[]): readonly string[] =>
  imageVolumes(Object.fromEntries(paths.map((path) => [path, {}])));

test("an image without volumes needs nothing", () => {
  expect(imageVolumes(undefined)).toEqual([]);
  expect(imageVolumes(null)).toEqual([]);
});

test("volumes are mounted at the very paths that the image declares", () => {
  expect(volumesOf("/data", "/var/lib/thing", "/tmp")).toEqual(["/data", "/var/lib/thing", "/tmp"]);
});

test("an image with more volumes than are allowed is refused, not held to the first of them", () => {
  const paths = Array.from({ length: 9 }, (_, index) => `/v${index}`);
  expect(volumesOf(...paths.slice(1))).toHaveLength(8);
  expect(() => volumesOf(...paths)).toThrow("the image declares 9 volumes; at most 8 are allowed");
});

test.each(["/etc/", "//etc", "/x/../etc", "/./etc", "etc", "", "/", "/a//b", "C:\\data", "/data:ro"])(
  "a volume spelled %j is refused: the engine would not see the memory mounted there",
  (path) => {
    expect(() => volumesOf(path)).toThrow(/the image declares the volume ".*", which is not a plain absolute path/);
  },
);

test.each(["/proc", "/proc/self", "/sys/fs", "/dev/shm"])("a volume in the kernel's folder %s is refused", (path) => {
  expect(() => volumesOf(path)).toThrow("below /proc, /sys or /dev");
});

test("a refusal is the image's fault, and no other try would help", () => {
  expect(() => volumesOf("/etc/")).toThrow(expect.objectContaining({ reason: "prover_error" }));
});
