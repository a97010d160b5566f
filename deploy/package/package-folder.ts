/** The npm package that a module is of. */

/** `console/node_modules/a/node_modules/@b/c` of the path of a file in it; null for a module of this repository. */
export function packageFolder(path: string): string | null {
  return /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null;
}
