/**
 * What the template depends on, compiled on this machine with empty sources in place of the template's, as the first steps of its
 * Dockerfile do: once for all test runs until something of it changes.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runTool } from "@elastic/deploy/local/run-tool.ts";
import { REPOSITORY } from "@elastic/deploy/template/read-sources.ts";
import { templateFiles } from "@elastic/deploy/template/template-files.ts";
import { writeFiles } from "@elastic/deploy/template/write-template.ts";
import { inheritedEnvironment, toolEnvironment } from "./machine.ts";
import { makeWorkFolder } from "./work-folder.ts";

/** Folders by the digest of what they were compiled from; the newest alone is retained. */
const COMPILED = inRepository(".cache", "template-crates");
const UNFINISHED = "unfinished-";
const STUBS = { "src/lib.rs": "", "src/bin/elastic.rs": "fn main() {}\n" };
/** Of the template itself: compiled from other paths than those of an image. */
const OWN = ["poseidon", "elastic-sdk", "grain"];

/** A folder for `CARGO_TARGET_DIR`. `config` is a configuration file of cargo. */
export async function compiledCrates(config: string): Promise<string> {
  const files = templateFiles(REPOSITORY).filter(({ path }) => /^(Cargo|(elastic-sdk|grain)\/)/.test(path));
  const inputs = JSON.stringify([files, config, runTool(toolEnvironment(), "rustc", "-vV")]);
  const folder = join(COMPILED, createHash("sha256").update(inputs).digest("hex").slice(0, 16));
  if (existsSync(folder)) return folder;
  using work = makeWorkFolder();
  const [project, configFile] = [join(work.path, "project"), join(work.path, "config.toml")];
  writeFiles(project, [...files, ...Object.entries(STUBS).map(([path, text]) => ({ path, text }))]);
  writeFileSync(configFile, config);
  mkdirSync(COMPILED, { recursive: true });
  const unfinished = join(COMPILED, `${UNFINISHED}${process.pid}`);
  const cargo = async (...args: readonly string[]) => {
    const all = [...args, "--release", "--offline", "--quiet", "--config", configFile, "--target-dir", unfinished];
    await promisify(execFile)("cargo", all, { cwd: project, env: inheritedEnvironment() });
  };
  await cargo("build", "--locked", "--bin", "elastic");
  await cargo("clean", ...OWN.flatMap((name) => ["--package", name]));
  place(unfinished, folder);
  return folder;
}

/** Another test may have been first. */
function place(unfinished: string, folder: string): void {
  for (const name of readdirSync(COMPILED)) {
    const isOld = !name.startsWith(UNFINISHED) && name !== basename(folder);
    if (isOld) rmSync(join(COMPILED, name), { recursive: true, force: true });
  }
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
}
