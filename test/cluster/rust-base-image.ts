/**
 * The base image of the template's Dockerfile, under its name at Docker Hub, made of this machine's own toolchain: `FROM rust:…`
 * finds it in the registry of a test. It has the crates of the template's lock file, so a build takes no network.
 */
import { chmodSync, createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { layerOfFile, pushOneLayer } from "@elastic/agent/builds/testing/one-layer-image.ts";
import { REPOSITORY } from "@elastic/deploy/template/read-sources.ts";
import { TEMPLATE_LOCK } from "@elastic/deploy/template/template-files.ts";
import { cachedCrates } from "./cached-crates.ts";
import { tarOf } from "./package-image.ts";
import { toolchainFiles } from "./toolchain-image.ts";
import { makeWorkFolder } from "./work-folder.ts";

const CARGO_HOME = "/usr/local/cargo";
const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", CARGO_HOME, CARGO_NET_OFFLINE: "true" };
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

/** Everything compiled without optimization, in place of what the template says: half the time of a build. */
const UNOPTIMIZED = `
[profile.release]
opt-level = 0

[profile.release.package]
blake2b_simd = { opt-level = 0 }
halo2-axiom = { opt-level = 0 }
halo2curves-axiom = { opt-level = 0 }
`;

export interface RustBaseOptions {
  /** Whether builds take the template's own profile; by default they are unoptimized. */
  readonly optimized?: boolean;
}

/** `password` for a registry that asks for one: a key that may push to `library/`. */
export async function pushRustBase(
  host: string,
  password: string | null,
  { optimized = false }: RustBaseOptions = {},
): Promise<void> {
  using folder = makeWorkFolder();
  const [made, layer] = [join(folder.path, "made"), join(folder.path, "layer.tar")];
  mkdirSync(join(made, "tmp"), { recursive: true });
  chmodSync(join(made, "tmp"), 0o1777);
  mkdirSync(join(made, CARGO_HOME), { recursive: true });
  writeFileSync(join(made, CARGO_HOME, "config.toml"), optimized ? "" : UNOPTIMIZED);
  const { files, renames } = toolchainFiles();
  const crates = cachedCrates(REPOSITORY.read(TEMPLATE_LOCK));
  const tar = tarOf({
    files: [...files, ...crates.files, join(made, "tmp"), join(made, "usr")],
    renames: [...renames, `s,^${crates.home.slice(1)}/,${CARGO_HOME.slice(1)}/,`, `s,^${made.slice(1)}/,,`],
    exclude: LEFT_OUT,
  });
  await pipeline(tar.stdout, createWriteStream(layer));
  const [name = "", tag = ""] = baseOf(REPOSITORY.read("deploy/template/poseidon/Dockerfile")).split(":");
  await pushOneLayer(host, password, { layer: await layerOfFile(layer), env: ENV, repository: name, tag });
}

/** `library/rust:…`, as the Dockerfile names it. */
function baseOf(dockerfile: string): string {
  const [, name] = /^ARG RUST_IMAGE=docker\.io\/(\S+)$/m.exec(dockerfile) ?? [];
  if (name === undefined) throw new Error("the template's Dockerfile names no base image of Docker Hub");
  return name;
}
