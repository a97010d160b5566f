import { join } from "node:path";
import { expect, test } from "vitest";
import { ACCEL_LIBRARY } from "../testing/start-test-agent.ts";
import { findAccelLibrary } from "./find-accel-library.ts";

test("finds the library that set-up built next to this program without a setting", () => {
  expect(findAccelLibrary()).toBe(ACCEL_LIBRARY);
});

test("the first place that has a library counts, and where none has there is none", () => {
  const nowhere = join("/nowhere", "libzkaccel.so");
  expect(findAccelLibrary([nowhere, import.meta.filename, ACCEL_LIBRARY])).toBe(import.meta.filename);
  expect(findAccelLibrary([nowhere])).toBeNull();
});
