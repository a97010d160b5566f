/** A base image to build provers in, made of this machine's own toolchain. */
import { toolchainFiles } from "@elastic/deploy/local/toolchain-files.ts";
import { toolEnvironment } from "./machine.ts";
import { importImage } from "./package-image.ts";

/** Returns its reference. */
export async function importToolchainImage(engineSocket: string): Promise<string> {
  // That it compiles is tested, and not how fast the program is.
  const changes = ["ENV CARGO_PROFILE_RELEASE_OPT_LEVEL=0"];
  return await importImage(engineSocket, "elastic-toolchain", () => ({
    ...toolchainFiles(toolEnvironment()),
    changes,
  }));
}
