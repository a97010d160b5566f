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

function demo(...args: readonly string[]): { readonly status: number | null; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inRepository("deploy", "demo", "main.ts"), ...args], {
    encoding: "utf8",
    env: { ...COMPILE_CACHE, PATH: process.env.PATH },
  });
  return { status, printed: stdout + stderr };
}

test.for([["--folder"], ["--folder", "--stop"], ["--state"], ["--state", "--stop"]] as const)(
  "in a folder with somebody's files nothing is touched: %s",
  ([flag, ...options]) => {
    const folder = join(root, [flag, ...options].join("-"));
    mkdirSync(join(folder, "etcd"), { recursive: true });
    const precious = join(folder, "etcd", "precious");
    writeFileSync(precious, "mine");
    const { status, printed } = demo(flag, folder, ...options);
    expect(status).toBe(1);
    expect(printed).toMatch(/not of a demo; nothing was touched/);
    expect(printed).not.toMatch(/^ {4}at /m);
    expect(readFileSync(precious, "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["etcd"]);
  },
);

test.for([
  [["--bogus"], "'--bogus'"],
  [["stray"], "'stray'"],
  [["--folder"], "--folder"],
  [["--folder="], "--folder"],
  [["--state="], "--state"],
  [["--stop", "--keep"], "--keep"],
] as const)("names a wrong option in a line, with where to look: %s", ([options, named]) => {
  const { status, printed } = demo(...options);
  expect(status).toBe(2);
  expect(printed).toContain(named);
  expect(printed.trimEnd().split("\n")).toEqual([expect.any(String), expect.stringContaining("--help")]);
});

test("--stop says whether a demo that was killed had left anything", () => {
  const places = placesIn(join(root, "killed"));
  claimFolder(places);
  mkdirSync(places.etcd);
  expect(demo("--folder", places.folder, "--stop")).toMatchObject({
    status: 0,
    printed: expect.stringContaining(`what it left is removed (${places.folder})`),
  });
  expect(existsSync(places.folder)).toBe(false);
  expect(demo("--folder", places.folder, "--stop").printed).toMatch(/^No demo is running/);
});

test("--stop leaves the state of a demo that was killed", () => {
  const places = placesIn(join(root, "killed-with-state"), { lasting: true });
  claimFolder(places);
  mkdirSync(places.etcd);
  writeFileSync(places.state, '{"pids":{}}');
  expect(demo("--state", places.folder, "--stop").printed).toContain("its state can be used again");
  expect(existsSync(places.etcd)).toBe(true);
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
