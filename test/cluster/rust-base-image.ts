/**
 * The base image of the template's Dockerfile, under its name at Docker Hub, made of this machine's own toolchain: `FROM rust:…`
 * finds it in the registry of a test. It has the crates of the template's lock file, so a build takes no network.
 */
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { layerOfFile, pushOneLayer } from "@elastic/agent/builds/testing/one-layer-image.ts";
import { type ImageFiles, tarOf } from "@elastic/deploy/local/import-image.ts";
import { toolchainFiles } from "@elastic/deploy/local/toolchain-files.ts";
import { REPOSITORY } from "@elastic/deploy/template/read-sources.ts";
import { TEMPLATE_LOCK } from "@elastic/deploy/template/template-files.ts";
import { cachedCrates } from "./cached-crates.ts";
import { compiledCrates } from "./compiled-crates.ts";
import { toolEnvironment } from "./machine.ts";
import { makeWorkFolder } from "./work-folder.ts";

const TARGET = "/usr/local/target";
const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", CARGO_NET_OFFLINE: "true" };
/** Compilers of C, and what sanitizers and other platforms take. */
const LEFT_OUT = [
  "*/cc1",
  "*/cc1plus",
  "*/lto1",
  "*lto-dump*",
  "*/g++-mapper-server",
  "*_rt.*san.a",
  "*/wasm-component-ld",
];

/** Everything compiled without optimization, in place of the template's profile: half the time of a build. */
const UNOPTIMIZED = `
[profile.release]
opt-level = 0

[profile.release.package]
blake2b_simd = { opt-level = 0 }
halo2-axiom = { opt-level = 0 }
halo2curves-axiom = { opt-level = 0 }
`;

export interface RustBaseOptions {
  /**
   * Whether a build compiles everything, and with the template's profile. By default what the template depends on is in the image,
   * compiled without optimization, and a build takes some seconds.
   */
  readonly cold?: boolean;
}

/** `password` for a registry that requires one: a key that may push to `library/`. */
export async function pushRustBase(
  host: string,
  password: string | null,
  { cold = false }: RustBaseOptions = {},
): Promise<void> {
  using folder = makeWorkFolder();
  const [made, layer] = [join(folder.path, "made"), join(folder.path, "layer.tar")];
  const crates = cachedCrates(REPOSITORY.read(TEMPLATE_LOCK));
  const config = cold ? "" : UNOPTIMIZED;
  // Cargo takes for compiled what was compiled from the same paths: its folder is where it is on this machine.
  const configFile = join(made, crates.home, "config.toml");
  mkdirSync(join(made, crates.home), { recursive: true });
  writeFileSync(configFile, config);
  mkdirSync(join(made, "tmp"), { mode: 0o777 });
  const compiled = cold ? NOTHING : placedAt(TARGET, await compiledCrates(config));
  const { files, renames } = toolchainFiles(toolEnvironment());
  const image = {
    files: [...files, ...crates.files, configFile, join(made, "tmp"), ...compiled.files],
    renames: [...renames, `s,^${made.slice(1)}/,,`, ...compiled.renames],
    exclude: LEFT_OUT,
  };
  const tar = tarOf(image, toolEnvironment());
  await pipeline(tar.stdout, createWriteStream(layer));
  const [repository = "", tag = ""] = baseOf(REPOSITORY.read("deploy/template/poseidon/Dockerfile")).split(":");
  const env = { ...ENV, CARGO_HOME: crates.home, ...(cold ? {} : { CARGO_TARGET_DIR: TARGET }) };
  await pushOneLayer(host, password, { layer: await layerOfFile(layer), env, repository, tag });
}

const NOTHING: ImageFiles = { files: [], renames: [] };

function placedAt(path: string, folder: string): ImageFiles {
  return { files: [folder], renames: [`s,^${folder.slice(1)},${path.slice(1)},`] };
}

/** `library/rust:…`, as the Dockerfile names it. */
function baseOf(dockerfile: string): string {
  const [, name] = /^ARG RUST_IMAGE=docker\.io\/(\S+)$/m.exec(dockerfile) ?? [];
  if (name === undefined) throw new Error("the template's Dockerfile names no base image of Docker Hub");
  return name;
}
