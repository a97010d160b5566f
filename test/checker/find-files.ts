/** Which files a history consists of: those that are named, and of a folder those that tests left there. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const RECORDED = /^.*-history.*\.jsonl$/;
const PATTERN = "*-history*.jsonl";

/** Rejects with a sentence where a path does not exist, or a folder has none. */
export async function findFiles(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) throw new Error(whyNot(path, found));
    if (!found.isDirectory()) {
      files.push(path);
      continue;
    }
    const names = (await readdir(path)).filter((name) => RECORDED.test(name)).toSorted();
    if (names.length === 0) {
      throw new Error(
        `the folder ${path} has no history: looked for ${join(path, PATTERN)}, and in no folder below it`,
      );
    }
    files.push(...names.map((name) => join(path, name)));
  }
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new Error(`${twice} is named twice`);
  return files;
}

function whyNot(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code !== "ENOENT" && code !== "ENOTDIR") return message;
  // As a shell leaves a pattern that matches nothing.
  if (path.includes("*")) return `no file matches ${path}`;
  return `${path} does not exist: looked for that file, or for ${join(path, PATTERN)} if it is a folder`;
}
