/** The versions of crates that a lock file has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Of these crates, by the Cargo.lock in a folder. */
export function lockedVersions(folder: string, crates: readonly string[]): Readonly<Record<string, string>> {
  const lock = readFileSync(join(folder, "Cargo.lock"), "utf8");
  const version = (crate: string) => new RegExp(`^name = "${crate}"\\nversion = "(.+)"$`, "m").exec(lock)?.[1];
  return Object.fromEntries(crates.map((crate) => [crate, version(crate) ?? "unknown"]));
}
