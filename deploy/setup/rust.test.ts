import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";

const script = readFileSync(inRepository("deploy", "setup", "rust.sh"), "utf8");
const inImages = [...script.matchAll(/^ {2}image_context (\S+)/gm)].map(([, name]) => name ?? "");

/** Each crate that a build compiles, with its features. */
function graph(...packages: readonly string[]): readonly string[] {
  const shown = ["--edges", "normal,build", "--prefix", "none", "--no-dedupe", "--format", "{p} [{f}]"];
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
    const alone = graph("--package", name);
    expect(alone.length).toBeGreaterThan(0);
    expect(
      alone.filter((crate) => !all.includes(crate)),
      name,
    ).toEqual([]);
  }
});
