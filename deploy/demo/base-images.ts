/**
 * `--base-images`: the base images of the Dockerfile that `elastic init` writes, made of this machine's own packages and Rust
 * toolchain, for a machine that reaches no registry. A program that is built in the one runs in the other, of the same libraries.
 */
import { readFileSync } from "node:fs";
import { type ImageFiles, importImage } from "../local/import-image.ts";
import { packageFiles } from "../local/package-files.ts";
import { inRepository } from "../local/repository.ts";
import { runTool } from "../local/run-tool.ts";
import { findProgram } from "../local/search-path.ts";
import { toolchainFiles } from "../local/toolchain-files.ts";
import { DemoError } from "./demo-error.ts";
import { hasImage } from "./has-image.ts";

const DOCKERFILE = inRepository("cli", "templates", "Dockerfile");
/** What a program that is linked with Debian's libraries needs. */
const RUN_ROOTS = ["dash", "coreutils", "libgcc-s1", "ca-certificates"];
/** What neither Rust nor a crate with C sources compiles with. */
const LEFT_OUT = ["*/cc1plus", "*lto-dump*", "*/g++-mapper-server", "*_rt.*san.a", "*/wasm-component-ld"];

/** References such as `rust:1-slim-bookworm`. */
interface BaseImages {
  readonly build: string;
  readonly run: string;
}

export async function hasBaseImages(engineSocket: string): Promise<boolean> {
  const { build, run } = baseImages();
  return (await hasImage(engineSocket, build)) && (await hasImage(engineSocket, run));
}

/** Those that the engine has already stay as they are. `env` is that of the tools that are started. */
export async function loadBaseImages(
  engineSocket: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<void> {
  const { build, run } = baseImages();
  const load = async (reference: string, files: () => ImageFiles) => {
    if (await hasImage(engineSocket, reference)) return;
    say(`Making the base image ${reference} of this machine's own programs.`);
    await importImage(engineSocket, reference, files(), env);
  };
  assertTools(env);
  await load(build, () => ({ ...toolchainFiles(env), exclude: LEFT_OUT }));
  await load(run, () => ({ files: packageFiles(RUN_ROOTS, env), renames: [] }));
}

function assertTools(env: NodeJS.ProcessEnv): void {
  const missing = ["dpkg", "gcc", "rustc", "cargo"].filter((name) => findProgram(name, env.PATH ?? "") === null);
  if (missing.length > 0) {
    throw new DemoError(
      `--base-images makes them of Debian's packages and a Rust toolchain; this machine has no ${missing.join(", no ")}.`,
    );
  }
  // Among the files of other packages the toolchain's are not a folder that can be copied.
  if (runTool(env, "rustc", "--print", "sysroot").trim() === "/usr") {
    throw new DemoError("--base-images takes a Rust toolchain of rustup (https://rustup.rs), not the distribution's.");
  }
}

function baseImages(): BaseImages {
  const dockerfile = readFileSync(DOCKERFILE, "utf8");
  const named = (argument: string): string => {
    const [, name] = new RegExp(`^ARG ${argument}=docker\\.io/library/(\\S+)$`, "m").exec(dockerfile) ?? [];
    if (name === undefined) throw new Error(`${DOCKERFILE} has no ${argument} of Docker Hub`);
    return name;
  };
  return { build: named("RUST_IMAGE"), run: named("RUN_IMAGE") };
}
