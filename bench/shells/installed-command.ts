/** `elastic` as users install it: its bundle, which starts in a fraction of the time of its sources. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { bundleCommand } from "elastic-cli/pack/bundle.ts";
import { PACKAGE_ROOT } from "elastic-cli/package/package-root.ts";

/** Returns the path of its program in `folder`. */
export async function installCommand(folder: string): Promise<string> {
  for (const name of ["package.json", "bin"]) cpSync(join(PACKAGE_ROOT, name), join(folder, name), { recursive: true });
  await bundleCommand(join(folder, "dist"));
  return join(folder, "bin", "elastic.js");
}
