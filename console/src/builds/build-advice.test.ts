import { expect, test } from "vitest";
import { buildAdvice, isOfSource } from "./build-advice.ts";
import { BUILD } from "./testing/a-build.ts";

const SENT = { repository: null };

test("says nothing next to a message that has its own way on", () => {
  for (const reason of ["source_unavailable", "source_invalid"] as const) {
    expect([buildAdvice(reason, BUILD), buildAdvice(reason, SENT)]).toEqual([null, null]);
  }
});

test("names the field of a wrong folder for a repository, and the command for what was sent", () => {
  expect(buildAdvice("build_file_missing", BUILD)).toContain("Folder, under Source");
  expect(buildAdvice("build_file_missing", SENT)).toContain("elastic init");
  expect(buildAdvice("timeout", BUILD)).toBe(buildAdvice("timeout", SENT));
});

test("leads to the source where that may be wrong", () => {
  expect([isOfSource("source_unavailable", BUILD), isOfSource("build_file_missing", BUILD)]).toEqual([true, true]);
  expect([isOfSource("source_unavailable", SENT), isOfSource("build_failed", BUILD)]).toEqual([false, false]);
});
