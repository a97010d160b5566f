/** The demo prover with its feature `accel`, in a folder apart: its programs are not to become those that images and other tests take. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { inheritedEnvironment, programPath } from "../cluster/machine.ts";

const TEST = ["test", "--release", "--locked", "--package", "poseidon", "--features", "accel", "--test", "accelerated"];

test("proofs of the demo prover on the acceleration library are accepted by its verifier", async () => {
  const env = {
    ...inheritedEnvironment(),
    PATH: programPath(),
    ZKA_LIB_DIR: inRepository("target", "accel"),
    CARGO_TARGET_DIR: inRepository("target", "demo-prover-accel"),
  };
  const { stdout } = await promisify(execFile)("cargo", TEST, { cwd: inRepository(), env, maxBuffer: 1024 ** 3 });
  expect(stdout).toContain("test result: ok. 3 passed; 0 failed");
});
