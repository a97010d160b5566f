import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findFiles } from "./local-files.ts";

let around: string;
let folder: string;

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "volume-"));
  folder = join(around, "data");
  mkdirSync(join(folder, "below"), { recursive: true });
  writeFileSync(join(folder, "below", "srs"), "points");
});
afterEach(() => rmSync(around, { recursive: true }));

async function paths(path = folder): Promise<readonly string[]> {
  return (await findFiles(path)).map((file) => file.path);
}

test("all below a folder is found, and links to files within it count as the files", async () => {
  symlinkSync("below/srs", join(folder, "latest"));
  symlinkSync("../latest", join(folder, "below", "again"));
  expect(await paths()).toEqual(["below/again", "below/srs", "latest"]);
});

test("a link that leads out of the folder is refused by its name", async () => {
  // Its name begins as the folder's does.
  mkdirSync(join(around, "data-private"));
  writeFileSync(join(around, "data-private", "key"), "secret");
  symlinkSync("../../data-private/key", join(folder, "below", "out"));
  await expect(paths()).rejects.toThrow(`${join(folder, "below", "out")} is a link to a file outside of ${folder}`);
});

test("a way out in more steps than one is one too", async () => {
  writeFileSync(join(around, "key"), "secret");
  symlinkSync(join(around, "key"), join(around, "step"));
  symlinkSync("../step", join(folder, "out"));
  await expect(paths()).rejects.toThrow("is a link to a file outside of");
});

test("a link to a folder or to nothing is refused", async () => {
  symlinkSync("nothing", join(folder, "broken"));
  await expect(paths()).rejects.toThrow("is a link to a folder or to nothing");
  rmSync(join(folder, "broken"));
  symlinkSync("below", join(folder, "folder"));
  await expect(paths()).rejects.toThrow("is a link to a folder or to nothing");
});

test("what is named itself may be a link, to a folder or a file", async () => {
  symlinkSync(folder, join(around, "linked"));
  expect(await paths(join(around, "linked"))).toEqual(["below/srs"]);
  expect(await paths(`${join(around, "linked")}/`)).toEqual(["below/srs"]);
  symlinkSync(join(folder, "below", "srs"), join(around, "one"));
  expect(await paths(join(around, "one"))).toEqual(["one"]);
});
