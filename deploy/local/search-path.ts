/** Finds programs the way a shell does. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders of system programs that a user's search path often lacks. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** The search path for children: this process's own, and the system's folders. */
export function searchPath(path: string): string {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return [...folders, ...SYSTEM_FOLDERS.filter((folder) => !folders.includes(folder))].join(delimiter);
}

/** The first executable called `name` on `path`, or null. */
export function findProgram(name: string, path: string): string | null {
  for (const folder of searchPath(path).split(delimiter)) {
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
