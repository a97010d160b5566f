/** The paths that differ from a base, committed or not. */
import { execFileSync } from "node:child_process";
import { repositoryRoot } from "@elastic/deploy/local/repository.ts";

const REMOTE_MAIN = "origin/main";

export interface Changes {
  readonly base: string;
  readonly paths: readonly string[];
}

/** Throws git's message where there is no such base. */
export function changedSince(base: string | null, root = repositoryRoot): Changes {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const chosen = base ?? (hasCommit(git, REMOTE_MAIN) ? REMOTE_MAIN : "HEAD");
  const lists = [
    git("diff", "--name-only", "-z", chosen, "--"),
    git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
  return { base: chosen, paths: lists.flatMap((list) => list.split("\0").filter((path) => path !== "")) };
}

function hasCommit(git: (...args: readonly string[]) => string, name: string): boolean {
  try {
    git("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
    return true;
  } catch {
    return false;
  }
}
