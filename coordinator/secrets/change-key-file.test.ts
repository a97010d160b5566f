import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeKeyFile, readPresentKeys, withSecondKey } from "./change-key-file.ts";
import { newKeyLine } from "./key-file.ts";

let dir: string;
let keyFile: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "change-key-file-"));
  keyFile = join(dir, "keys");
  writeFileSync(keyFile, `${newKeyLine()}\n`);
});

afterEach(() => rmSync(dir, { recursive: true }));

test("changes the file that a link names, and leaves the link", () => {
  const link = join(dir, "link");
  symlinkSync("keys", link);
  const keys = changeKeyFile(link, withSecondKey);
  expect([readPresentKeys(keyFile), readPresentKeys(link)]).toEqual([keys, keys]);
});

test("leaves the file as it was where the change would make it invalid, or another changed it meanwhile", () => {
  const before = readFileSync(keyFile, "utf8");
  expect(() => changeKeyFile(keyFile, () => "short\n")).toThrow(/not 32 bytes/);
  expect(readFileSync(keyFile, "utf8")).toBe(before);
  const theirs = `${newKeyLine()}\n`;
  const slow = (text: string): string => {
    writeFileSync(keyFile, theirs);
    return withSecondKey(text);
  };
  expect(() => changeKeyFile(keyFile, slow)).toThrow(/was changed by another: nothing was changed here/);
  expect(readFileSync(keyFile, "utf8")).toBe(theirs);
});

test.skipIf(process.getuid?.() === 0)("says what to do where the file cannot be replaced", () => {
  const folder = join(dir, "mounted");
  mkdirSync(folder);
  const mounted = join(folder, "keys");
  writeFileSync(mounted, `${newKeyLine()}\n`);
  chmodSync(folder, 0o500);
  expect(() => changeKeyFile(mounted, withSecondKey)).toThrow(/\(EACCES\): run this as a user who may write there/);
  chmodSync(folder, 0o700);
});
