/** The sources of elastic-sdk: the packed command carries them; in the repository they are a folder of their own. */

import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { PACKAGE_ROOT } from "./package-root.ts";

/** What a prover links; its tests stay behind. */
const PARTS = ["Cargo.toml", "README.md", "src", "examples"];

function sdkSource(): string {
  const carried = join(PACKAGE_ROOT, "sdk");
  return existsSync(carried) ? carried : join(PACKAGE_ROOT, "..", "sdk");
}

/** Copies the sources to a folder that is not there yet. */
export async function unpackSdk(to: string): Promise<void> {
  const from = sdkSource();
  const isPart = (path: string) => path === from || PARTS.includes(relative(from, path).split(sep)[0] ?? "");
  await cp(from, to, { recursive: true, errorOnExist: true, force: false, filter: isPart });
}
