import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { COMPILE_CACHE } from "../local/compile-cache.ts";
import { inRepository } from "../local/repository.ts";
import { claimFolder } from "./folder.ts";
import { placesIn } from "./places.ts";

const root = mkdtempSync(join(tmpdir(), "demo-main-test-"));
afterAll(() => rmSync(root, { recursive: true }));

function demo(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inRepository("deploy", "demo", "main.ts"), ...args], {
    encoding: "utf8",
    env: { ...COMPILE_CACHE, PATH: process.env.PATH },
  });
  return { status, said: stdout + stderr };
}

test.for([[], ["--stop"]])("in a folder with somebody's files nothing is touched: %s", (options) => {
  const folder = join(root, options.join("-") || "start");
  mkdirSync(join(folder, "etcd"), { recursive: true });
  const precious = join(folder, "etcd", "precious");
  writeFileSync(precious, "mine");
  const { status, said } = demo("--folder", folder, ...options);
  expect(status).toBe(1);
  expect(said).toMatch(/not of a demo; nothing was touched/);
  expect(said).not.toMatch(/^ {4}at /m);
  expect(readFileSync(precious, "utf8")).toBe("mine");
  expect(readdirSync(folder)).toEqual(["etcd"]);
});

test.for([
  [["--bogus"], "'--bogus'"],
  [["stray"], "'stray'"],
  [["--folder"], "--folder"],
  [["--folder="], "--folder"],
  [["--stop", "--keep"], "--keep"],
] as const)("wrong options are told in a line with where to look: %s", ([options, named]) => {
  const { status, said } = demo(...options);
  expect(status).toBe(2);
  expect(said).toContain(named);
  expect(said.trimEnd().split("\n")).toEqual([expect.any(String), expect.stringContaining("--help")]);
});

test("--stop says whether a demo that was killed had left anything", () => {
  const places = placesIn(join(root, "killed"));
  claimFolder(places);
  mkdirSync(places.etcd);
  expect(demo("--folder", places.folder, "--stop")).toMatchObject({
    status: 0,
    said: expect.stringContaining(`what it left is removed (${places.folder})`),
  });
  expect(existsSync(places.folder)).toBe(false);
  expect(demo("--folder", places.folder, "--stop").said).toMatch(/^No demo is running/);
});

test("the help of npm run demo needs no set-up", () => {
  const script = inRepository("deploy", "demo", "demo.sh");
  const { status, stdout } = spawnSync("/bin/bash", [script, "--keep", "--help"], {
    encoding: "utf8",
    // Without Node, without npm.
    env: { PATH: "/bin" },
  });
  expect(status).toBe(0);
  expect(stdout).toBe(readFileSync(inRepository("deploy", "demo", "help.txt"), "utf8"));
});
