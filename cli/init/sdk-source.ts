/** The sources of elastic-sdk: carried by the package, and beside it in the repository. */

import { cp } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { PACKAGE_ROOT } from "../package-root.ts";

/** What a prover links; its tests stay behind. */
const PARTS = ["Cargo.toml", "README.md", "src", "examples"];

export function sdkSource(): string {
  const isCompiled = import.meta.filename.endsWith(".js");
  return isCompiled ? join(PACKAGE_ROOT, "sdk") : join(PACKAGE_ROOT, "..", "sdk");
}

/** Copies the sources to a folder that is not there yet. */
export async function unpackSdk(to: string): Promise<void> {
  const from = sdkSource();
  const isPart = (path: string) => path === from || PARTS.includes(relative(from, path).split(sep)[0] ?? "");
  await cp(from, to, { recursive: true, errorOnExist: true, force: false, filter: isPart });
}
