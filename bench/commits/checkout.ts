/** Another commit in a second folder, with its own dependencies. It stays there for the next comparison. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";

export interface Checkout {
  readonly folder: string;
  /** The Node that the commit pins. */
  readonly node: string;
}

const PARTS = ["node", "etcd", "demo-prover"];

/**
 * What set-up has built here, and the names there: it decides by the sources whether that is fresh, so an unchanged part
 * is not built again. Both stamps of the provers state the same sources; that of the demo prover is the newer one.
 */
const BUILT: readonly (readonly [from: string, to: string])[] = [
  [".cache/bin/etcd", ".cache/bin/etcd"],
  [".cache/setup/etcd.stamp", ".cache/setup/etcd.stamp"],
  [".cache/setup/rust.stamp", ".cache/setup/demo-prover.stamp"],
  [".cache/setup/demo-prover.stamp", ".cache/setup/demo-prover.stamp"],
  ["target/release/libelastic_ffi.so", "target/release/libelastic_ffi.so"],
  ["target/release/poseidon", "target/release/poseidon"],
];

/** The complete id of what `name` is; null where there is no such commit. */
export function commitOf(name: string): string | null {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const { status, stdout } = spawnSync("git", args, { cwd: repositoryRoot, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

export function checkOut(commit: string, log: (text: string) => void): Checkout {
  const folder = inRepository(".cache", "baseline", commit);
  if (!existsSync(folder)) {
    log(`Checking out ${commit} into ${folder}`);
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    const archive = join(partial, "..", `${commit}.tar`);
    execFileSync("git", ["archive", "--format=tar", `--output=${archive}`, commit], { cwd: repositoryRoot });
    execFileSync("tar", ["-x", "-f", archive, "-C", partial]);
    rmSync(archive);
    copyBuilt(partial);
    renameSync(partial, folder);
  }
  log("Setting it up with the dependencies that it pins");
  const { status } = spawnSync("bash", [join(folder, "deploy", "setup.sh"), ...PARTS], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0)
    throw new Error(`${commit} is not set up: deploy/setup.sh in ${folder} reports above what is wrong`);
  return { folder, node: join(folder, "node_modules", "node", "bin", "node") };
}

function copyBuilt(folder: string): void {
  for (const [from, to] of BUILT.filter(([path]) => existsSync(inRepository(path)))) {
    mkdirSync(join(folder, dirname(to)), { recursive: true });
    cpSync(inRepository(from), join(folder, to), { preserveTimestamps: true });
  }
}
