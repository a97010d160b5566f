/** The build file of a Rust project that has none and links elastic-sdk: what `elastic init` would have written. Pure. */
import { readFileSync } from "node:fs";

export const RUST_BUILD_FILE = readFileSync(new URL("rust.Dockerfile", import.meta.url), "utf8");

/** As a dependency, under a table of dependencies or in a separate one. */
const LINKS_SDK = /^\s*(?:elastic-sdk\s*[=.]|\[(?:.*\.)?dependencies\.elastic-sdk\])/m;

/** Null for what is no such project. */
export function buildFileFor(manifest: string | null): string | null {
  return manifest !== null && LINKS_SDK.test(manifest) ? RUST_BUILD_FILE : null;
}
