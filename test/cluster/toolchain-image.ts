/**
 * A base image to build provers in, made of this machine's own toolchain, since none can be pulled where there is no
 * network: the files of Debian's packages for gcc and a shell with all that they depend on, and Rust's sysroot.
 */
import { join } from "node:path";
import { type ImportedImage, importImage, packageFiles, run } from "./package-image.ts";

const ROOTS = ["gcc", "libc6-dev", "dash", "coreutils"];
/** Made when the packages were set up, so in no package's list. */
const COMPILER_LINKS = ["/usr/bin/cc", "/etc/alternatives/cc"];

/** Answers its reference. */
export async function importToolchainImage(engineSocket: string): Promise<string> {
  return await importImage(engineSocket, "elastic-toolchain", toolchain);
}

function toolchain(): ImportedImage {
  // That it compiles is tested, and not how fast the program is.
  return { ...toolchainFiles(), changes: ["ENV CARGO_PROFILE_RELEASE_OPT_LEVEL=0"] };
}

export function toolchainFiles(): ImportedImage {
  const sysroot = run("rustc", "--print", "sysroot").trim();
  const rust = ["bin/rustc", "bin/cargo", "lib"].map((path) => join(sysroot, path));
  return {
    files: [...packageFiles(ROOTS), ...COMPILER_LINKS, ...rust],
    renames: [`s,^${sysroot.slice(1)}/,usr/local/,`],
  };
}
