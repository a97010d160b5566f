/** Where things are in this repository. */
import { join } from "node:path";

export const repositoryRoot = join(import.meta.dirname, "..", "..");

/** A path inside the repository. */
export function inRepository(...segments: readonly string[]): string {
  return join(repositoryRoot, ...segments);
}
