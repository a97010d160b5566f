/**
 * A base image to build provers in, made of this machine's own toolchain, since none can be pulled where there is no
 * network: the files of Debian's packages for gcc and a shell with all that they depend on, and Rust's sysroot.
 */
import { join } from "node:path";
import { type ImportedImage, importImage, packageFiles, run } from "./package-image.ts";

const ROOTS = ["gcc", "libc6-dev", "dash", "coreutils"];
/** Made when the packages were set up, so in no package's list. */
const COMPILER_LINKS = ["/usr/bin/cc", "/etc/alternatives/cc"];

/** Returns its reference. */
export async function importToolchainImage(engineSocket: string): Promise<string> {
  // That it compiles is tested, and not how fast the program is.
  const changes = ["ENV CARGO_PROFILE_RELEASE_OPT_LEVEL=0"];
  return await importImage(engineSocket, "elastic-toolchain", () => ({ ...toolchainFiles(), changes }));
}

/** What it is made of, where profiles are to be the user's. */
export function toolchainFiles(): ImportedImage {
  const sysroot = run("rustc", "--print", "sysroot").trim();
  const rust = ["bin/rustc", "bin/cargo", "lib"].map((path) => join(sysroot, path));
  return {
    files: [...packageFiles(ROOTS), ...COMPILER_LINKS, ...rust],
    renames: [`s,^${sysroot.slice(1)}/,usr/local/,`],
  };
}
