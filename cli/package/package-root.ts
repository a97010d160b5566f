/** The folder of this package: its sources in the repository, and its bundle where it was installed. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export const PACKAGE_ROOT: string = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : rootAbove(dirname(folder));
}
