import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { lockedPackages } from "./crate-manifest.ts";
import { REPOSITORY } from "./read-sources.ts";
import { templateFiles } from "./template-files.ts";

const FILES = new Map(templateFiles(REPOSITORY).map(({ path, text }) => [path, text]));

const textOf = (path: string): string => {
  const text = FILES.get(path);
  if (text === undefined) throw new Error(`the template has no ${path}`);
  return text;
};

function lockedTexts(lock: string): readonly string[] {
  return lockedPackages(lock).map(({ name, version, source, checksum }) =>
    JSON.stringify({ name, version, source, checksum }),
  );
}

interface Profile {
  readonly package: Readonly<Record<string, object>>;
}

function profilesOf(manifest: string): Readonly<Record<"release" | "dev", Profile>> {
  return parse(manifest).profile as unknown as Readonly<Record<"release" | "dev", Profile>>;
}

test("has what a repository needs to be built, tried and changed, and nothing else", () => {
  const paths = [...FILES.keys()];
  expect(paths.filter((path) => !path.includes("/"))).toEqual([
    ".dockerignore",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "Dockerfile",
    "README.md",
  ]);
  expect(new Set(paths.map((path) => path.split("/")[0]))).toContain("elastic-sdk");
  expect(paths).toEqual(
    expect.arrayContaining([
      "src/lib.rs",
      "src/bin/elastic.rs",
      "elastic-sdk/Cargo.toml",
      "elastic-sdk/src/lib.rs",
      "grain/src/lib.rs",
    ]),
  );
  expect(paths.filter((path) => /poseidon|tests|target|provers|\.\./.test(path))).toEqual([]);
});

test("needs no workspace: it inherits nothing, and its paths lead to the crates in it", () => {
  const manifest = parse(textOf("Cargo.toml"));
  const workspace = parse(REPOSITORY.read("Cargo.toml")).workspace as { readonly package: object };
  expect(JSON.stringify(manifest)).not.toContain('"workspace"');
  expect(manifest.package).toMatchObject(workspace.package);
  expect(textOf("Cargo.toml").match(/path = "[^"]*"/g)).toEqual(['path = "elastic-sdk"', 'path = "grain"']);
  for (const crate of ["elastic-sdk", "grain"]) {
    expect(textOf(`${crate}/Cargo.toml`)).not.toMatch(/workspace = true|path = "\.\./);
  }
});

test("has no code of a feature, since it has no features", () => {
  const sources = [...FILES].filter(([path]) => path.startsWith("src/"));
  expect(sources.filter(([, text]) => /feature =|accelerated/.test(text))).toEqual([]);
  expect(textOf("src/maker.rs")).toContain("mod front_end;\n");
  expect(textOf("Cargo.toml")).not.toContain("elastic-plonk");
});

test("is compiled as the workspace is, but for its own code", () => {
  const { release, dev } = profilesOf(textOf("Cargo.toml"));
  const workspace = profilesOf(REPOSITORY.read("Cargo.toml"));
  const { poseidon, ...packages } = release.package;
  expect(poseidon).toEqual({ "opt-level": 0 });
  expect(workspace.release.package).toMatchObject(packages);
  expect({ ...release, package: {} }).toEqual({ ...workspace.release, package: {} });
  expect(dev).toEqual(workspace.dev);
  // Cargo warns of a profile for a package that is not there.
  const locked = new Set(lockedPackages(textOf("Cargo.lock")).map(({ name }) => name));
  expect(Object.keys(packages).filter((name) => !locked.has(name))).toEqual([]);
});

test("locks the versions that the workspace locks", () => {
  const ofWorkspace = new Set(lockedTexts(REPOSITORY.read("Cargo.lock")));
  expect(lockedTexts(textOf("Cargo.lock")).filter((one) => !ofWorkspace.has(one))).toEqual([]);
});

test("explains itself in one README: how to try it, and the prover's section on the statement", () => {
  const readme = textOf("README.md");
  expect(readme.match(/^## .*/gm)).toEqual([
    "## Try it here",
    "## Change it",
    "## Deploy it",
    "## Input",
    "## What is proven, and what is not",
    "## Parameters",
    "## Set-up parameters",
    "## Proof text",
  ]);
  const named = [...readme.matchAll(/`((?:src|elastic-sdk|grain)\/[\w/.]*)`/g)].map(([, path = ""]) => path);
  const missing = named.filter((path) => ![...FILES.keys()].some((file) => file === path || file.startsWith(path)));
  expect([named.length > 0, missing]).toEqual([true, []]);
});

test("is not generated without a part of its sources", () => {
  const read = (path: string) => REPOSITORY.read(path).replace("## Proof text", "## Text");
  expect(() => templateFiles({ ...REPOSITORY, read })).toThrow("no section Proof text");
  const uninherited = (path: string) => REPOSITORY.read(path).replace('edition = "2024"', "");
  expect(() => templateFiles({ ...REPOSITORY, read: uninherited })).toThrow("no edition to inherit");
});
