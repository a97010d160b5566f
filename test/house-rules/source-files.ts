/** The files of this repository that the house rules look at: what git tracks, and what is new and not ignored. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";

export interface SourceFile {
  /** Relative to the repository's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

const TEXT =
  /\.(ts|tsx|mjs|json|md|proto|rs|toml|sh|go|c|cc|h|cu|cuh|py|yaml|yml|Dockerfile)$|(^|\/)(Dockerfile|\.gitignore|run)$/;
/** Written by programs. */
const GENERATED =
  /^(package-lock\.json|Cargo\.lock|proto\/gen\/|clients\/typescript\/gen\/|docs\/reference\/|bench\/results\/)/;

export function trackedPaths(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repositoryRoot,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split("\0").filter((path) => path !== "" && existsSync(inRepository(path)));
}

/** Texts written by people. */
export function sourceFiles(): readonly SourceFile[] {
  return trackedPaths()
    .filter((path) => TEXT.test(path) && !GENERATED.test(path))
    .map((path) => ({ path, text: readFileSync(inRepository(path), "utf8") }));
}

/** What breaks a rule, as `path:line: sentence`. */
export function at(file: SourceFile, index: number, sentence: string): string {
  const line = file.text.slice(0, index).split("\n").length;
  return `${file.path}:${line}: ${sentence}`;
}
