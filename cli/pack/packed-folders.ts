/** What is made for a package and must not stay in the repository: a stale copy would be run in place of the sources. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package/package-root.ts";
import { LICENSE_FILES, THIRD_PARTY_LICENSES } from "./licenses.ts";

export function removePacked(): void {
  for (const path of ["dist", "sdk", ...LICENSE_FILES, THIRD_PARTY_LICENSES]) {
    rmSync(join(PACKAGE_ROOT, path), { recursive: true, force: true });
  }
}
