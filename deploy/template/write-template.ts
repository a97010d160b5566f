/** Templates as folders, and their lock file. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRepository } from "../local/repository.ts";
import { REPOSITORY } from "./read-sources.ts";
import { TEMPLATE_LOCK, type TemplateFile, templateFiles } from "./template-files.ts";

/** Where the coordinator reads them: a folder for each template. */
export const TEMPLATES_FOLDER = inRepository("deploy", "template", "dist");

export function writeFiles(folder: string, files: readonly TemplateFile[]): void {
  for (const { path, text } of files) {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
}

/** Replaces what was generated before, by one rename: a coordinator that reads meanwhile finds one of the two, or none. */
export function writeTemplates(): void {
  const unfinished = `${TEMPLATES_FOLDER}.${process.pid}`;
  writeFiles(join(unfinished, "poseidon"), templateFiles(REPOSITORY));
  rmSync(TEMPLATES_FOLDER, { recursive: true, force: true });
  renameSync(unfinished, TEMPLATES_FOLDER);
}

/** The versions of the repository's Cargo.lock, as far as the template needs them. */
export function lockTemplate(): void {
  const folder = mkdtempSync(join(tmpdir(), "elastic-template-"));
  try {
    writeFiles(folder, templateFiles(REPOSITORY));
    const lock = join(folder, "Cargo.lock");
    writeFileSync(lock, REPOSITORY.read("Cargo.lock"));
    execFileSync("cargo", ["update", "--workspace", "--quiet"], { cwd: folder, stdio: "inherit" });
    writeFileSync(inRepository(TEMPLATE_LOCK), readFileSync(lock));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
