/**
 * What a base image to build provers in is made of where none can be pulled: the files of Debian's packages for gcc and a shell
 * with all that they depend on, and Rust's sysroot. `env` is that of the tools that are started.
 */
import { join } from "node:path";
import type { ImageFiles } from "./import-image.ts";
import { packageFiles } from "./package-files.ts";
import { runTool } from "./run-tool.ts";

const ROOTS = ["gcc", "libc6-dev", "dash", "coreutils"];
/** Made when the packages were set up, so in no package's list. */
const COMPILER_LINKS = ["/usr/bin/cc", "/etc/alternatives/cc"];

export function toolchainFiles(env: NodeJS.ProcessEnv): ImageFiles {
  const sysroot = runTool(env, "rustc", "--print", "sysroot").trim();
  const rust = ["bin/rustc", "bin/cargo", "lib"].map((path) => join(sysroot, path));
  return {
    files: [...packageFiles(ROOTS, env), ...COMPILER_LINKS, ...rust],
    renames: [`s,^${sysroot.slice(1)}/,usr/local/,`],
  };
}
