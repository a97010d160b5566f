/** The folder that an image is built from, as the tar stream that the engine takes, without what .dockerignore names. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import dockerignore from "@balena/dockerignore";
import tar from "tar-fs";
import { usageError } from "../errors/cli-error.ts";

export const BUILD_FILE = "Dockerfile";

/** Where it is built: here it takes a build file; on the fleet a Rust project that links elastic-sdk needs none. */
export function assertBuildable(folder: string, where: "here" | "on the fleet"): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw usageError(`There is no folder ${folder}.`, "Name one that there is with --base_dir.");
  }
  if (existsSync(join(folder, BUILD_FILE))) return;
  if (where === "on the fleet" && linksSdk(join(folder, "Cargo.toml"))) return;
  throw usageError(
    `There is no ${BUILD_FILE} in ${folder}.`,
    "Run `elastic init` there, name the sub-directory with --base_dir, or write a Dockerfile of your own.",
  );
}

function linksSdk(manifest: string): boolean {
  return existsSync(manifest) && readFileSync(manifest, "utf8").includes("elastic-sdk");
}

/** Links are packed as links. Errors of reading are errors of the stream. */
export function buildContext(folder: string): Readable {
  const ignored = dockerignore.default();
  const ignoreFile = join(folder, ".dockerignore");
  if (existsSync(ignoreFile)) ignored.add(readFileSync(ignoreFile, "utf8"));
  return tar.pack(folder, {
    ignore(path) {
      const name = relative(folder, path).split(sep).join("/");
      return name !== "" && name !== BUILD_FILE && ignored.ignores(name);
    },
  });
}
