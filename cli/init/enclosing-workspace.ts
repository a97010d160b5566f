/** The cargo workspace that a package is part of because of where it is. */
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { parse, type TomlTable } from "smol-toml";

/** As cargo finds it: the manifest of the nearest folder above with a workspace, unless that excludes the package. */
export async function enclosingWorkspace(directory: string): Promise<string | null> {
  const own = await readManifest(join(directory, "Cargo.toml"));
  if (own?.workspace !== undefined) return null;
  for (let folder = dirname(directory); ; folder = dirname(folder)) {
    const path = join(folder, "Cargo.toml");
    const workspace = (await readManifest(path))?.workspace as TomlTable | undefined;
    if (workspace !== undefined) {
      const { exclude, members } = workspace;
      const place = relative(folder, directory);
      return hasFolderOf(exclude, place) && !hasFolderOf(members, place) ? null : path;
    }
    if (folder === dirname(folder)) return null;
  }
}

/** Null for a file that does not exist or that cargo could not read either. */
async function readManifest(path: string): Promise<TomlTable | null> {
  try {
    return parse(await readFile(path, "utf8"));
  } catch {
    return null;
  }
}

/** Whether the list of folders has the one at `place`, or one above it. */
function hasFolderOf(list: unknown, place: string): boolean {
  if (!Array.isArray(list)) return false;
  const folders = list.filter((item) => typeof item === "string").map((folder) => join(folder, sep));
  return folders.some((folder) => `${place}${sep}`.startsWith(folder));
}
