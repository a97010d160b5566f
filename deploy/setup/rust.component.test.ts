import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";

const script = readFileSync(inRepository("deploy", "setup", "rust.sh"), "utf8");
const inImages = [...script.matchAll(/^ {2}image_context (\S+)/gm)].map(([, name]) => name ?? "");

/** Each crate that a build compiles, with its features. */
function graph(packages: readonly string[] = [], edges = "normal,build"): readonly string[] {
  const shown = ["--edges", edges, "--prefix", "none", "--no-dedupe", "--format", "{p} [{f}]"];
  const tree = execFileSync("cargo", ["tree", "--locked", ...packages, ...shown], {
    cwd: inRepository(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1024 ** 3,
  });
  return [...new Set(tree.trim().split("\n"))];
}

test("a program of an image is built from what a build of all has compiled", () => {
  const all = graph();
  expect(inImages.length).toBeGreaterThan(1);
  for (const name of inImages) {
    const alone = graph(["--package", name]);
    expect(alone.length).toBeGreaterThan(0);
    expect(
      alone.filter((crate) => !all.includes(crate)),
      name,
    ).toEqual([]);
  }
});

test("the demo prover is built from what a build of all has compiled", () => {
  const all = graph();
  const demo = graph(["--package", "poseidon", "--package", "elastic-ffi", "--no-default-features"]);
  expect(demo.length).toBeGreaterThan(50);
  expect(demo.length).toBeLessThan(all.length);
  const others = demo.filter((crate) => !all.includes(crate));
  expect(others.every((crate) => crate.startsWith("elastic-ffi "))).toBe(true);
});

test("tests compile no crate again that a build of all has compiled with other features", () => {
  const all = graph();
  const tests = graph(["--workspace", "--exclude", "zkaccel-bench"], "normal,build,dev");
  const version = (crate: string): string => crate.slice(0, crate.indexOf(" ["));
  const versions = new Set(all.map(version));
  expect(tests.length).toBeGreaterThan(all.length);
  expect(tests.filter((crate) => versions.has(version(crate)) && !all.includes(crate))).toEqual([]);
});
