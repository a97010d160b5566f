/** Ten thousand random circuits against halo2-axiom's verifier and its mock prover, and proofs of 2^17 rows that are followed and cancelled. A failure names its seed. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { inheritedEnvironment, programPath } from "../cluster/machine.ts";

const TEST = [
  "test",
  "--release",
  "--locked",
  "--package",
  "elastic-plonk",
  "--features",
  "at-length",
  "--test",
  "at_length",
];

test("random circuits are proven as the mock prover has them, and long proofs end soon when they are cancelled", async () => {
  const env = {
    ...inheritedEnvironment(),
    PATH: programPath(),
    ZKA_LIB_DIR: inRepository("target", "accel"),
    CARGO_TARGET_DIR: inRepository("target", "plonk-at-length"),
  };
  const { stdout } = await promisify(execFile)("cargo", TEST, { cwd: inRepository(), env, maxBuffer: 1024 ** 3 });
  expect(stdout).toContain("test result: ok. 2 passed; 0 failed");
});
