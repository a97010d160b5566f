/**
 * Which files of a folder are no part of the source that is sent: those that .dockerignore or a .gitignore names, in the
 * folder itself or, for Git, in any below it, Git's own, and the link to the service.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import dockerignore from "@balena/dockerignore";
import ignore, { type Ignore } from "ignore";
import { LINK_FILE } from "../link/service-link.ts";
import { BUILD_FILE } from "../local-build/build-context.ts";

/** `path` is relative to the folder, with slashes. */
export type IsIgnored = (path: string, isDirectory: boolean) => boolean;

/** Of paths within `folder`, with slashes. Reads the files of rules when it needs them. */
export function ignoreRules(folder: string): IsIgnored {
  const ofDocker = dockerignore.default();
  const dockerFile = join(folder, ".dockerignore");
  if (existsSync(dockerFile)) ofDocker.add(readFileSync(dockerFile, "utf8"));
  const ofGit = gitRules(folder);
  return (path, isDirectory) => {
    if (path === BUILD_FILE || path === ".dockerignore") return false;
    // The link remembers the last build: with it no source would be the same twice.
    if (path === LINK_FILE || path === ".git" || path.startsWith(".git/")) return true;
    return ofDocker.ignores(path) || ofGit(path, isDirectory);
  };
}

/** The rules of a file are in its directory or in one above it. */
function gitRules(folder: string): IsIgnored {
  const known = new Map<string, Ignore | null>();
  const rulesIn = (directory: string): Ignore | null => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const file = join(folder, directory, ".gitignore");
    const rules = existsSync(file) ? ignore().add(readFileSync(file, "utf8")) : null;
    known.set(directory, rules);
    return rules;
  };
  return (path, isDirectory) => {
    for (let directory = dirname(path); ; directory = dirname(directory)) {
      const within = directory === "." ? path : path.slice(directory.length + 1);
      const verdict = rulesIn(directory)?.test(isDirectory ? `${within}/` : within);
      if (verdict?.ignored) return true;
      // A rule that brings a file back overrules those of directories above.
      if (verdict?.unignored) return false;
      if (directory === ".") return false;
    }
  };
}
