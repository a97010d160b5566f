import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPresentKeys } from "./change-key-file.ts";
import { keepRetiredKey } from "./keep-retired-key.ts";
import { newKeyLine } from "./key-file.ts";

let dir: string;
let keyFile: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "keep-retired-key-"));
  keyFile = join(dir, "keys");
  writeFileSync(keyFile, `# ours\n${newKeyLine()}\n${newKeyLine()}\n`);
});
afterEach(() => rmSync(dir, { recursive: true }));

test("keeps the key in a key file for its owner only, and does nothing where it is kept already", () => {
  const before = readFileSync(keyFile, "utf8");
  const [, second] = readPresentKeys(keyFile);
  const copy = keepRetiredKey(keyFile, second?.id ?? "");
  expect(copy).toBe(`${keyFile}.retired-${second?.id}`);
  expect(readPresentKeys(copy)).toEqual([second]);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(keepRetiredKey(keyFile, second?.id ?? "")).toBe(copy);
  expect(readFileSync(keyFile, "utf8")).toBe(before);
});

test("fails with a sentence where something else has that name, or the key is not there", () => {
  const [, second] = readPresentKeys(keyFile);
  writeFileSync(`${keyFile}.retired-${second?.id}`, "cut");
  expect(() => keepRetiredKey(keyFile, second?.id ?? "")).toThrow(
    /cannot be kept in .* \(EEXIST\).*Nothing was changed/,
  );
  expect(() => keepRetiredKey(keyFile, "0a1b2c3d")).toThrow(/not in .*Nothing was changed/);
});
