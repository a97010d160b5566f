import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeJudgedFile, changeKeyFile, readPresentKeys, withKeysSwapped, withSecondKey } from "./change-key-file.ts";
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

test("changes the keys that were judged alone, and leaves those that are wanted already", () => {
  const [judged] = changeKeyFile(keyFile, withSecondKey);
  const staged = readPresentKeys(keyFile).map(({ id }) => id);
  const swapped = staged.toReversed();
  for (const _ of ["the first command", "another that judged the same"]) {
    changeJudgedFile(keyFile, staged, swapped, withKeysSwapped);
    expect(readPresentKeys(keyFile).map(({ id }) => id)).toEqual(swapped);
  }
  const stage = () => changeJudgedFile(keyFile, [judged.id], staged, withSecondKey);
  expect(stage).toThrow(
    /another command changed .* it has key .* was not changed by this one: look with `secrets status`/,
  );
  expect(readPresentKeys(keyFile).map(({ id }) => id)).toEqual(swapped);
});

test("says what to do where the file cannot be replaced", () => {
  // Too long for the name of the file that would replace it.
  const long = join(dir, "k".repeat(250));
  writeFileSync(long, `${newKeyLine()}\n`);
  const before = readFileSync(long, "utf8");
  expect(() => changeKeyFile(long, withSecondKey)).toThrow(
    /cannot be replaced \(ENAMETOOLONG\): run this as a user who may write there, or, .* The file is as it was/,
  );
  expect(readFileSync(long, "utf8")).toBe(before);
});
