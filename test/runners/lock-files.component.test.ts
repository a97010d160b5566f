import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { lockFileState, lockFilesAmong } from "./lock-files.ts";

const CRATE = (name: string, rest = "") => ({
  [`${name}/Cargo.toml`]: `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2024"\n${rest}`,
  [`${name}/src/lib.rs`]: "",
});
const locked = (name: string, rest = "") => `[[package]]\nname = "${name}"\nversion = "0.1.0"\n${rest}\n`;

const PROJECTS: readonly { lock: string; files: Readonly<Record<string, string>>; current: boolean }[] = [
  {
    lock: "one/Cargo.lock",
    files: { ...CRATE("one", "[workspace]\n"), "one/Cargo.lock": `version = 4\n\n${locked("one")}` },
    current: true,
  },
  {
    lock: "one/Cargo.lock",
    files: {
      ...CRATE("one", '[workspace]\n[dependencies]\nother = { path = "../other" }\n'),
      ...CRATE("other"),
      "one/Cargo.lock": `version = 4\n\n${locked("one")}`,
    },
    current: false,
  },
  {
    lock: "package-lock.json",
    files: {
      "package.json": '{ "name": "one", "version": "1.0.0" }',
      "package-lock.json":
        '{ "name": "one", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "one", "version": "1.0.0" } } }',
    },
    current: true,
  },
  {
    lock: "package-lock.json",
    files: {
      "package.json": '{ "name": "one", "version": "1.0.0", "dependencies": { "other": "1.0.0" } }',
      "package-lock.json":
        '{ "name": "one", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "one", "version": "1.0.0" } } }',
    },
    current: false,
  },
  {
    lock: "go.sum",
    files: {
      "go.mod": "module one\n\ngo 1.24\n\nrequire example.org/other v1.0.0\n",
      "go.sum": "",
    },
    current: false,
  },
];

describe.each(PROJECTS)("a project with $lock, current: $current", ({ lock, files, current }) => {
  test("is reported as it is", async () => {
    using folder = makeWorkFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), text);
    }
    const state = await lockFileState(lock, folder.path);
    expect(current ? state : Object.keys(state)).toEqual(current ? "current" : ["stale"]);
  });
});

test("finds lock files of every kind among paths", () => {
  expect(lockFilesAmong(["a/Cargo.lock", "b.ts", "package-lock.json", "c/d/go.sum", "Cargo.toml"])).toEqual([
    "a/Cargo.lock",
    "package-lock.json",
    "c/d/go.sum",
  ]);
});
