/** Where a file of a volume may be: a path that means the same everywhere and cannot lead out of its folder. */

const PATH_BYTES_MAX = 1_024;
const NAME_BYTES_MAX = 255;
const DEPTH_MAX = 32;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be refused.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** What is wrong with it; null if nothing is. */
export function wrongPath(path: string): string | null {
  if (path === "") return "the path is empty";
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return `the path is longer than ${PATH_BYTES_MAX} bytes`;
  if (path.startsWith("/")) return "the path is relative to the volume, without a slash at its begin";
  if (CONTROL.test(path) || path.includes("\\") || !path.isWellFormed()) {
    return "no control character, backslash or half of a character may stand in a path";
  }
  const names = path.split("/");
  if (names.length > DEPTH_MAX) return `the path has more than ${DEPTH_MAX} levels`;
  if (names.some((name) => name === "" || name === "." || name === "..")) return "no part may be empty, `.` or `..`";
  if (names.some((name) => Buffer.byteLength(name) > NAME_BYTES_MAX)) return `no name has over ${NAME_BYTES_MAX} bytes`;
  return null;
}

/** A path that clashes with another: named twice, or a file where another path has a folder. Null if none. */
export function clashingPath(paths: readonly string[]): string | null {
  const files = new Set<string>();
  for (const path of paths) {
    if (files.has(path)) return path;
    files.add(path);
  }
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      const folder = path.slice(0, slash);
      if (files.has(folder)) return folder;
    }
  }
  return null;
}
