/** Which files a change reaches: by imports, and by programs that a file starts. */
import { posix } from "node:path";
import { importsOf } from "../house-rules/imports.ts";
import type { SourceFile } from "../house-rules/source-files.ts";

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** What is everybody's: a change of these reaches every file. */
const EVERYBODYS =
  /^(package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts|test\/(tiers|pure-guard)\.ts)$|\/package\.json$/;

/** `new URL("./main.ts", import.meta.url)`, `inRepository("agent", "main.ts")`: how tests and the harness name programs. */
const RELATIVE_PROGRAM = /new URL\("(\.[^"]+\.ts)", import\.meta\.url\)/g;
const PROGRAM = /inRepository\(((?:"[^"]+",? ?)+)\)/g;

function programsOf(files: readonly SourceFile[]): readonly Edge[] {
  return files.flatMap(({ path, text }) => [
    ...[...text.matchAll(RELATIVE_PROGRAM)].map(([, to = ""]) => ({
      from: path,
      to: posix.join(posix.dirname(path), to),
    })),
    ...[...text.matchAll(PROGRAM)].map(([, segments = ""]) => ({
      from: path,
      to: posix.join(...(JSON.parse(`[${segments}]`) as readonly string[])),
    })),
  ]);
}

/** Paths that lead to a changed one, changed ones included. */
export function affectedBy(
  changed: readonly string[],
  files: readonly SourceFile[],
  workspaces: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  if (changed.some((path) => EVERYBODYS.test(path))) return new Set(files.map(({ path }) => path));
  const users = new Map<string, string[]>();
  for (const { from, to } of [...importsOf(files, workspaces), ...programsOf(files)]) {
    users.set(to, [...(users.get(to) ?? []), from]);
  }
  const reached = new Set(changed);
  // A set that grows while it is walked.
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user);
  return reached;
}
