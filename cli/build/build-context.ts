/** The folder that an image is built from, as the tar stream that the engine takes, without what .dockerignore names. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import dockerignore from "@balena/dockerignore";
import tar from "tar-fs";
import { usageError } from "../errors/cli-error.ts";

export const BUILD_FILE = "Dockerfile";

export function assertBuildable(folder: string): void {
  if (existsSync(join(folder, BUILD_FILE))) return;
  throw usageError(
    `There is no ${BUILD_FILE} in ${folder}.`,
    "Run `elastic init` there, name the sub-directory with --base_dir, or write a Dockerfile of your own.",
  );
}

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
