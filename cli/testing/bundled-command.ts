/** The command as users install it, which starts in half the time of its sources; made before any test runs. */
import { join } from "node:path";
import { bundleCommand } from "../pack/bundle.ts";
import { PACKAGE_ROOT } from "../package/package-root.ts";

const FOLDER = join(PACKAGE_ROOT, ".bundled");

/** `node -- BUNDLED_COMMAND task list`; without the dashes node takes options such as --env-file for its own. */
export const BUNDLED_COMMAND: string = join(FOLDER, "main.js");

/** For vitest's `globalSetup`. */
export async function setup(): Promise<void> {
  await bundleCommand(FOLDER);
}
