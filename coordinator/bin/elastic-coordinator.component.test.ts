import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "elastic-coordinator.js");

test("started by a Node that does not run TypeScript, says which one does", () => {
  const args = ["--no-experimental-strip-types", "--", PROGRAM, "--help"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^error: Node \S+ does not run TypeScript/)]);
  expect(stderr).toContain("bash deploy/setup.sh node");
});

test("started by one that does, runs the program", () => {
  const { status, stdout } = spawnSync(process.execPath, ["--", PROGRAM, "--help"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.stringContaining("Usage: elastic-coordinator")]);
});
