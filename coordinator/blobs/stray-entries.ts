/**
 * What is in the directory of blobs and is none of its folders and files: somebody made it, or a file system did. It is passed
 * over, stays where it is, and is reported once.
 */
import type { Dirent, Stats } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { TEAM_PATTERN } from "./blob-names.ts";

/** Of paths that are remembered; of more the first ones are enough. */
const REPORTED_MAX = 1000;

type Entry = Pick<Stats, "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket">;

export class StrayEntries {
  readonly #report: (message: string) => void;
  readonly #reported = new Set<string>();

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  isStrayFile(folder: string, entry: Dirent): boolean {
    return !entry.isFile() && this.#found(join(folder, entry.name), entry);
  }

  /** Of what is in the place of the folder of a team, which may be on another disk by a link. */
  async isStrayFolder(data: string, entry: Dirent): Promise<boolean> {
    const path = join(data, entry.name);
    const isFolder = entry.isSymbolicLink() ? await isDirectory(path) : entry.isDirectory();
    return !(isFolder && TEAM_PATTERN.test(entry.name)) && this.#found(path, entry);
  }

  /** Of what could not be read because of what it is. */
  async foundAt(path: string): Promise<void> {
    this.#found(path, await lstat(path));
  }

  /** After it was moved out of the way of a blob. */
  moved(path: string, aside: string): void {
    this.#report(
      `${path} is a directory in the place of a blob, and was moved to ${aside}: look at it, then remove it`,
    );
  }

  #found(path: string, entry: Entry): true {
    if (this.#reported.has(path) || this.#reported.size >= REPORTED_MAX) return true;
    this.#reported.add(path);
    this.#report(`${path} is ${kindOf(entry)} and does not belong there: it is passed over and left, move it away`);
    return true;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function kindOf(entry: Entry): string {
  if (entry.isFile()) return "a file";
  if (entry.isDirectory()) return "a directory";
  if (entry.isSymbolicLink()) return "a symbolic link";
  if (entry.isFIFO()) return "a FIFO";
  return entry.isSocket() ? "a socket" : "a device";
}
