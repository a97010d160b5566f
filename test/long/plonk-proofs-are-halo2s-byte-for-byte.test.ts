/** Proofs of `kernels/plonk` and of halo2-axiom's own prover with the same randomness. Its prover draws a polynomial from a generator of its threads and orders A' by a randomly seeded map, so it is built from a copy in which both are otherwise. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { programPath } from "../cluster/machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const RANDOM_POLYNOMIAL = `        parallelize(&mut random_poly, |random_poly, _| {
            let mut rng = rand::thread_rng();
            for coeff in random_poly.iter_mut() {
                *coeff = C::Scalar::random(&mut rng);
            }
        });
        // Sample a random blinding factor
        let random_blind = Blind(C::Scalar::random(rng));`;
/** As `src/random.rs` of `kernels/plonk` has it, one stream after the other. */
const OF_THE_CALLER = `        let mut rng = rng;
        let mut seed = [0; 32];
        rng.fill_bytes(&mut seed);
        for (at, stream) in random_poly.chunks_mut(1 << 10).enumerate() {
            let mut rng = <rand_chacha::ChaCha20Rng as rand_core::SeedableRng>::from_seed(seed);
            rng.set_stream(at as u64);
            for coeff in stream {
                *coeff = C::Scalar::random(&mut rng);
            }
        }
        let random_blind = Blind(C::Scalar::random(rng));`;

/** In each file, what is replaced and by what; it is there once. */
const CHANGES: readonly (readonly [file: string, from: string, to: string])[] = [
  [
    "Cargo.toml",
    "\n[dependencies.rand_core]",
    `\n[dependencies.rand_chacha]\nversion = "0.3"\n\n[dependencies.rand_core]`,
  ],
  ["src/plonk/vanishing/prover.rs", RANDOM_POLYNOMIAL, OF_THE_CALLER],
  // Sorted, as the function next to it has it.
  ["src/plonk/lookup/prover.rs", "= permute_expression_pair(", "= permute_expression_pair_seq("],
];

const MANIFEST = `
[package]
name = "same-bytes"
version = "0.1.0"
edition = "2024"

[dependencies]
elastic-plonk = { path = "${inRepository("kernels", "plonk")}" }
grain = { path = "${inRepository("kernels", "grain")}" }
halo2-axiom = { version = "=0.5.3", default-features = false, features = ["circuit-params", "multicore"] }
rand_chacha = "=0.3.1"
rand_core = { version = "=0.6.4", features = ["getrandom"] }

[[test]]
name = "same_bytes"
path = "${inRepository("kernels", "plonk", "tests", "same_bytes", "main.rs")}"

[patch.crates-io]
halo2-axiom = { path = "halo2-axiom" }

[profile.dev.package."*"]
opt-level = 3

[workspace]
`;

test("proofs of known randomness are halo2-axiom's in each step of their transcripts", async () => {
  using work = makeWorkFolder();
  const run = promisify(execFile);
  const path = `${programPath()}:${process.env.PATH}`;
  const env = {
    HOME: process.env.HOME,
    PATH: path,
    ZKA_LIB_DIR: inRepository("target", "accel"),
    CARGO_TARGET_DIR: inRepository("target", "same-bytes"),
  };
  const metadata = ["metadata", "--locked", "--format-version", "1"];
  const { stdout } = await run("cargo", metadata, { cwd: inRepository(), env, maxBuffer: 1024 ** 3 });
  const { packages } = JSON.parse(stdout) as { packages: { name: string; manifest_path: string }[] };
  const source = packages.find(({ name }) => name === "halo2-axiom")?.manifest_path ?? "";

  const copy = join(work.path, "halo2-axiom");
  cpSync(dirname(source), copy, { recursive: true });
  for (const [file, from, to] of CHANGES) {
    const text = readFileSync(join(copy, file), "utf8");
    expect(text.split(from), file).toHaveLength(2);
    writeFileSync(
      join(copy, file),
      text.replace(from, () => to),
    );
  }
  mkdirSync(join(work.path, "src"));
  writeFileSync(join(work.path, "src", "lib.rs"), "");
  writeFileSync(join(work.path, "Cargo.toml"), MANIFEST);
  writeFileSync(join(work.path, "Cargo.lock"), readFileSync(inRepository("Cargo.lock")));
  writeFileSync(join(work.path, "rust-toolchain.toml"), readFileSync(inRepository("rust-toolchain.toml")));
  const { stdout: tested } = await run("cargo", ["test", "--offline"], { cwd: work.path, env, maxBuffer: 1024 ** 3 });
  expect(tested).toContain("test result: ok. 4 passed; 0 failed");
});
