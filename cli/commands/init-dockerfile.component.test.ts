/** The steps of the Dockerfile that `elastic init` writes, run by sh in folders in the place of its stages. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PACKAGE_ROOT } from "../package/package-root.ts";

const STEPS = readFileSync(join(PACKAGE_ROOT, "templates", "Dockerfile"), "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line.startsWith("RUN "))
  .map((line) => line.slice("RUN ".length));

const PROJECT = {
  "Cargo.toml": '[package]\nname = "p"\n\n[dependencies]\nelastic-sdk = { path = "elastic-sdk" }\n',
  "Cargo.lock": "",
  ".cargo/config.toml": "",
  "elastic-sdk/Cargo.toml": "",
  "elastic-sdk/src/lib.rs": "",
  "vendor/serde/src/lib.rs": "",
  "src/bin/elastic.rs": "fn main() { prove() }\n",
};
const OTHERS = { "run.log": "", ".notes/today.txt": "", "data/circuit.txt": "k20", "a file.txt": "" };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "elastic-dockerfile-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "context", path)), { recursive: true });
    writeFileSync(join(folder, "context", path), text);
  }
}

/** What the stage `dependencies` hands to the compilation of the dependencies, and that of the program gets after it. */
function runStages(): { dependencies: readonly string[]; program: readonly string[] } {
  const source = join(folder, "src");
  cpSync(join(folder, "context"), source, { recursive: true });
  const [prepare = "", , compile = ""] = STEPS;
  const inFolder = (step: string) =>
    step.replaceAll("/stubs", join(folder, "stubs")).replaceAll("/context", join(folder, "context"));
  const sh = (step: string) => execFileSync("sh", ["-c", inFolder(step)], { cwd: source });
  sh(prepare);
  const dependencies = filesIn(source);
  expect(readFileSync(join(source, "src/bin/elastic.rs"), "utf8")).toBe("fn main() {}\n");
  sh(compile.replace(/cargo build.*/, "true"));
  expect(readFileSync(join(source, "src/bin/elastic.rs"), "utf8")).toBe(PROJECT["src/bin/elastic.rs"]);
  return { dependencies, program: filesIn(source) };
}

function filesIn(path: string): readonly string[] {
  const all = globSync("**/{*,.*,.*/**}", { cwd: path, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return [...new Set(files)].map((file) => file.slice(path.length + 1)).toSorted();
}

test("compiles the dependencies from what cargo reads alone, and the program with all files", () => {
  write({ ...PROJECT, ...OTHERS });
  const { dependencies, program } = runStages();
  expect(dependencies).toEqual(Object.keys(PROJECT).toSorted());
  expect(program).toEqual(Object.keys({ ...PROJECT, ...OTHERS }).toSorted());
});

test("keeps the folders of crates, also where they are deeper", () => {
  const crates = { "crates/a/Cargo.toml": "", "crates/a/data/x": "", "lib/x/y/Cargo.toml": "" };
  write({ ...PROJECT, ...OTHERS, ...crates });
  expect(runStages().dependencies).toEqual(Object.keys({ ...PROJECT, ...crates }).toSorted());
});

test.each([
  ["a build script", { "build.rs": "" }],
  ["a build script of another name", { "Cargo.toml": '[package]\nbuild = "make.rs"' }],
  ["a benchmark", { "Cargo.toml": '[package]\n[[bench]]\nname = "b"\n' }],
])("keeps all files for a package with %s", (_what, files) => {
  write({ ...PROJECT, ...OTHERS, ...files });
  expect(runStages().dependencies).toEqual(Object.keys({ ...PROJECT, ...OTHERS, ...files }).toSorted());
  expect(existsSync(join(folder, "src/data/circuit.txt"))).toBe(true);
});
