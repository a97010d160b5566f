/** The files that `elastic init` writes, and that it refuses to write over. */
import { constants, lstatSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PACKAGE_ROOT } from "../package/package-root.ts";

export interface NewFile {
  /** Where it goes, from the code directory. */
  readonly path: string;
  /** Its name among the package's templates. */
  readonly template: string;
}

/** Never written over. */
export const PROGRAM: NewFile = { path: "src/bin/elastic.rs", template: "elastic.rs" };
export const BUILD_FILE: NewFile = { path: "Dockerfile", template: "Dockerfile" };
/** Left alone where there is one: it only keeps the build's context small. */
export const IGNORE_FILE: NewFile = { path: ".dockerignore", template: "dockerignore" };

/** A link that leads nowhere is there as well: to write to it would be to write where it leads. */
export function isThere(directory: string, { path }: NewFile): boolean {
  return lstatSync(join(directory, path), { throwIfNoEntry: false }) !== undefined;
}

/** Makes the folders above it. Rejects where the file exists. */
export async function writeTemplate(directory: string, { path, template }: NewFile): Promise<void> {
  const to = join(directory, path);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(join(PACKAGE_ROOT, "templates", template), to, constants.COPYFILE_EXCL);
}
