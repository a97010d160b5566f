/** All that is in a folder. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Paths in it, sorted; links are not followed, as `readdir` would. */
export async function pathsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name];
      const inside = await pathsBelow(join(folder, entry.name));
      return [entry.name, ...inside.map((path) => `${entry.name}/${path}`)];
    }),
  );
  return below.flat().toSorted();
}
