import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pathsBelow } from "./paths-below.ts";

test("lists folders before what is in them, and links as themselves", async () => {
  const folder = mkdtempSync(join(tmpdir(), "paths-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "b", "c"), { recursive: true });
  writeFileSync(join(folder, "b", "c", "file"), "");
  symlinkSync("b", join(folder, "a"));
  expect(await pathsBelow(folder)).toEqual(["a", "b", "b/c", "b/c/file"]);
});
