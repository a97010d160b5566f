import { expect, test } from "vitest";
import { badFileNames } from "./file-names.ts";
import { trackedPaths } from "./source-files.ts";

test("every file is named for the one thing in it", () => {
  const paths = trackedPaths();
  expect(paths.length).toBeGreaterThan(100);
  expect(badFileNames(paths)).toEqual([]);
});

test.each([
  ["std/utils.ts"],
  ["coordinator/index.ts"],
  ["agent/types.ts"],
  ["agent/runAttempt.ts"],
  ["sdk/src/runServer.rs"],
  ["kernels/accel/src/core/utils.h"],
  ["kernels/accel/src/core/HandleTable.cc"],
  ["kernels/accel/src/core/handles.cpp"],
])("%s is found", (path) => expect(badFileNames([path])).toHaveLength(1));
