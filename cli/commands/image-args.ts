/** The images that a build file names by its ARGs: options of the commands that build, else what the environment sets. */
import type { Command } from "commander";
import type { Settings } from "../context/config.ts";
import { notEmpty } from "./not-empty.ts";

export interface ImageOptions {
  readonly buildImage?: string;
  readonly runImage?: string;
}

export function withImages(command: Command): Command {
  return command
    .option(
      "--build-image <image>",
      "image with the Rust toolchain (default: $ELASTIC_BUILD_IMAGE, else the build file's)",
      notEmpty("image name"),
    )
    .option(
      "--run-image <image>",
      "image that the prover runs in (default: $ELASTIC_RUN_IMAGE, else the build file's)",
      notEmpty("image name"),
    );
}

export function imageArgs(
  { buildImage, runImage }: ImageOptions,
  settings: Pick<Settings, "buildImage" | "runImage">,
): Readonly<Record<string, string>> {
  return {
    ...given("RUST_IMAGE", buildImage ?? settings.buildImage),
    ...given("RUN_IMAGE", runImage ?? settings.runImage),
  };
}

function given(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value };
}
