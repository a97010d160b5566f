/** What is made for a package and must not stay in the repository: a stale copy would be run in place of the sources. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package/package-root.ts";

export function removePacked(): void {
  for (const folder of ["dist", "sdk"]) rmSync(join(PACKAGE_ROOT, folder), { recursive: true, force: true });
}
