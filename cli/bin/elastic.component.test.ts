import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PACKAGE_ROOT } from "../package/package-root.ts";

const ELASTIC = join(PACKAGE_ROOT, "bin", "elastic.js");

test("a checkout started by a Node that does not run TypeScript says which one does", () => {
  const args = ["--no-experimental-strip-types", "--", ELASTIC, "--version"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^error: Node \S+ does not run TypeScript/)]);
  expect(stderr).toContain("bash deploy/setup.sh node");
});
