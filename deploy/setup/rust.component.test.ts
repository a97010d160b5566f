import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
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

interface Target {
  readonly kind: readonly string[];
  readonly src_path: string;
  readonly test: boolean;
  readonly doctest: boolean;
}

/** Of the workspace's packages. */
function targets(): readonly Target[] {
  const described = execFileSync("cargo", ["metadata", "--locked", "--no-deps", "--format-version", "1"], {
    cwd: inRepository(),
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
  });
  const { packages } = JSON.parse(described) as { packages: { targets: Target[] }[] };
  return packages.flatMap((one) => one.targets);
}

/** All Rust in the folder of a target's first file, as one text. */
function sourceOf({ src_path }: Target): string {
  const folder = path.dirname(src_path);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".rs"));
  return files.map((file) => readFileSync(path.join(folder, file), "utf8")).join("\n");
}

test("finds no tests in a library or a program that is declared to have none", () => {
  const libraries = targets().filter(({ kind }) => kind.some((one) => one.endsWith("lib") || one === "proc-macro"));
  const programs = targets().filter(({ kind }) => kind.includes("bin"));
  const untested = [...libraries, ...programs].filter((target) => !target.test);
  expect(untested.length).toBeGreaterThan(3);
  for (const target of untested) {
    const own = target.kind.includes("bin") ? readFileSync(target.src_path, "utf8") : sourceOf(target);
    expect(own, target.src_path).not.toMatch(/#\[(?:tokio::)?test\]|proptest!/);
  }
  const undocumented = libraries.filter((target) => !target.doctest);
  expect(undocumented.length).toBeGreaterThan(0);
  for (const target of undocumented) expect(sourceOf(target), target.src_path).not.toMatch(/^ *\/\/[/!] *```/m);
});
