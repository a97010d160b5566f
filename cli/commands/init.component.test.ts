import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "../testing/run-binary.ts";

const MANIFEST = '[package]\nname = "prover"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\n';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "elastic-init-"));
});
afterEach(async () => rm(directory, { recursive: true }));

function init(...args: readonly string[]): Promise<Ran> {
  return runBinary(["init", ...args], { directory, env: {} });
}

test("a cargo package becomes a prover", async () => {
  await writeFile(join(directory, "Cargo.toml"), MANIFEST);
  const ran = await init("--json");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    added_dependencies: ["elastic-sdk", "serde"],
    files: ["src/bin/elastic.rs", "Dockerfile", ".dockerignore"],
  });
  expect(await readFile(join(directory, "src/bin/elastic.rs"), "utf8")).toContain("elastic_sdk::run::<");
  const ignored = (await readFile(join(directory, ".dockerignore"), "utf8")).split("\n");
  expect(ignored).toEqual(expect.arrayContaining(["target", "**/target", "*.log", "**/*.log"]));
  expect((await readdir(join(directory, "elastic-sdk"))).toSorted()).toEqual([
    "Cargo.toml",
    "README.md",
    "examples",
    "src",
  ]);
});

test.each(["src/bin/elastic.rs", "Dockerfile"])("%s is not written over, and nothing else is written", async (path) => {
  await writeFile(join(directory, "Cargo.toml"), MANIFEST);
  await mkdir(join(directory, "src/bin"), { recursive: true });
  await writeFile(join(directory, path), "mine");
  expect(await init()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(path) });
  expect(await readFile(join(directory, path), "utf8")).toBe("mine");
  expect(await readFile(join(directory, "Cargo.toml"), "utf8")).toBe(MANIFEST);
  expect(await readdir(directory)).not.toContain("elastic-sdk");
});

test.each(["src/bin/elastic.rs", "Dockerfile"])("nothing is written to where %s leads as a link", async (path) => {
  await writeFile(join(directory, "Cargo.toml"), MANIFEST);
  await mkdir(join(directory, "src/bin"), { recursive: true });
  const elsewhere = join(directory, "elsewhere");
  await symlink(elsewhere, join(directory, path));
  expect(await init()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(path) });
  expect((await readdir(directory)).filter((name) => name === "elsewhere" || name === "elastic-sdk")).toEqual([]);
});

test("outside of a cargo package it says what to do", async () => {
  expect(await init()).toMatchObject({ code: 2, stderr: expect.stringContaining("cargo init") });
  await writeFile(join(directory, "Cargo.toml"), '[workspace]\nmembers = ["a"]\n');
  expect(await init()).toMatchObject({ code: 2, stderr: expect.stringContaining("package that proves") });
});

test.each([
  ['[workspace]\nmembers = ["prover"]\n', true],
  ["[workspace]\nmembers = []\n", true],
  ['[workspace]\nexclude = ["prover", "target"]\n', false],
  ['[workspace]\nexclude = ["prove"]\n', true],
  [MANIFEST, false],
])("inside of a folder with the manifest %j, its warning of a workspace is %j", async (outer, isWarned) => {
  const inner = join(directory, "prover");
  await mkdir(inner);
  await writeFile(join(directory, "Cargo.toml"), outer);
  await writeFile(join(inner, "Cargo.toml"), MANIFEST);
  const { code, stderr } = await runBinary(["init"], { directory: inner, env: {} });
  expect(code).toBe(0);
  expect(stderr.includes(`is part of the workspace of ${join(directory, "Cargo.toml")}`)).toBe(isWarned);
});

test("a package that is a workspace itself is part of no other", async () => {
  const inner = join(directory, "prover");
  await mkdir(inner);
  await writeFile(join(directory, "Cargo.toml"), "[workspace]\nmembers = []\n");
  await writeFile(join(inner, "Cargo.toml"), `${MANIFEST}\n[workspace]\n`);
  expect((await runBinary(["init"], { directory: inner, env: {} })).stderr).not.toContain("workspace");
});
