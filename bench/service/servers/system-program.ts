/** Servers that the benchmark compares with come from the distribution. */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { findProgram, searchPath } from "@elastic/deploy/local/search-path.ts";

export interface SystemProgram {
  readonly name: string;
  /** Debian's package. */
  readonly debianPackage: string;
  /** Where it may be, in addition to the search path. */
  readonly alsoIn?: string;
}

/** The program's path; installs its package when it is missing and this is root on Debian, else names what to install. */
export function requireProgram(program: SystemProgram, path: string): string {
  const found = find(program, path);
  if (found !== null) return found;
  if (process.getuid?.() === 0 && findProgram("apt-get", path) !== null) {
    const env = { PATH: searchPath(path), DEBIAN_FRONTEND: "noninteractive" };
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", program.debianPackage], {
      env,
      stdio: "inherit",
    });
  }
  const installed = find(program, path);
  if (installed === null) throw new Error(`${program.name} is missing: install the package ${program.debianPackage}`);
  return installed;
}

function find(program: SystemProgram, path: string): string | null {
  const elsewhere = program.alsoIn === undefined ? [] : globSync(`${program.alsoIn}/${program.name}`).sort();
  return findProgram(program.name, path) ?? elsewhere.at(-1) ?? null;
}
