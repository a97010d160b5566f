import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { programPath } from "../cluster/machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const MANIFEST = `
[package]
name = "prover"
version = "0.1.0"
edition = "2024"

[dependencies]
zkaccel = { path = "../src/gpu/accel/rust/zkaccel", features = ["halo2curves"] }
halo2curves = { version = "0.9", default-features = false }

[workspace]
`;

const PROGRAM = `
use halo2curves::bn256::{Fr, G1Affine};
use zkaccel::{Bases, BasesOptions, Buffer, Config, Context};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::new(&Config::default())?;
    let bases = Bases::new(&context, &[G1Affine::generator(); 2], BasesOptions::default())?;
    let sum = bases.msm(&Buffer::of(&context, &[Fr::from(1), Fr::from(2)])?)?;
    println!("{}", sum == G1Affine::generator() * Fr::from(3));
    Ok(())
}
`;

test("a prover with a copy of the acceleration library builds it with CMake into its program, which needs no library", async () => {
  using work = makeWorkFolder();
  // The folders' names are those of the library's own parts, some of which CMake leaves out.
  cpSync(inRepository("kernels", "accel"), join(work.path, "src", "gpu", "accel"), { recursive: true });
  const prover = join(work.path, "prover");
  mkdirSync(join(prover, "src"), { recursive: true });
  writeFileSync(join(prover, "Cargo.toml"), MANIFEST);
  writeFileSync(join(prover, "Cargo.lock"), readFileSync(inRepository("Cargo.lock")));
  writeFileSync(join(prover, "rust-toolchain.toml"), readFileSync(inRepository("rust-toolchain.toml")));
  writeFileSync(join(prover, "src", "main.rs"), PROGRAM);
  const env = { HOME: process.env.HOME, PATH: `${programPath()}:${process.env.PATH}` };
  await promisify(execFile)("cargo", ["build", "--release", "--quiet"], { cwd: prover, env });
  const program = join(work.path, "shipped");
  renameSync(join(prover, "target", "release", "prover"), program);
  rmSync(join(prover, "target"), { recursive: true });
  const { stdout } = await promisify(execFile)(program, [], { cwd: "/", env: {} });
  expect(stdout.trim()).toBe("true");
});
