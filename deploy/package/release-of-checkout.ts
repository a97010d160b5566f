/** What a package says of the sources that it was built from. */
import { execFileSync, spawnSync } from "node:child_process";
import { CHANGED } from "@elastic/std/metrics/build-commit.ts";
import { inRepository } from "../local/repository.ts";
import manifest from "../package.json" with { type: "json" };
import type { Release } from "./stage-program.ts";

export function releaseOfCheckout(
  releaseKeys: string | null,
  env: NodeJS.ProcessEnv,
  folder: string = inRepository(),
): Release {
  return { version: manifest.version, committed: committedAt(env, folder), commit: commitOf(folder), releaseKeys };
}

/** Files of a checkout that are not as in its commit, or not in it, each after what Git says of it; of none where there is no checkout. */
export function changesOfCheckout(folder: string = inRepository()): readonly string[] {
  const { status, stdout } = git(folder, "status", "--porcelain", "--untracked-files=normal", "--no-renames");
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
}

/** The commit's time, or that which an environment of reproducible builds states. */
function committedAt({ SOURCE_DATE_EPOCH: stated }: NodeJS.ProcessEnv, folder: string): Date {
  const seconds =
    stated ?? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: folder, encoding: "utf8" }).trim();
  return new Date(1000 * Number(seconds));
}

function commitOf(folder: string): string | null {
  const { status, stdout } = git(folder, "rev-parse", "HEAD");
  if (status !== 0) return null;
  return stdout.trim() + (changesOfCheckout(folder).length === 0 ? "" : CHANGED);
}

function git(folder: string, ...args: readonly string[]) {
  return spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}
