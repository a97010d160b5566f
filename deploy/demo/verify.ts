/** Checks a proof of the demo prover with the separate verifier, which trusts nothing that the service says. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "../local/repository.ts";
import { demoFolder } from "./state-file.ts";

const VERIFY_TIMEOUT_MS = 60_000;
/** The verifier's exit status for a proof that it rejects. */
const REJECTED = 1;

export interface Statement {
  readonly private_input: readonly number[];
  readonly public_input: string;
}

/** Whether the proof shows that somebody knows as many numbers as the statement has, with that hash. */
export async function verify(proof: string, statement: Statement): Promise<boolean> {
  const file = join(demoFolder, "proof.txt");
  writeFileSync(file, proof);
  try {
    await promisify(execFile)(
      inRepository("target", "release", "poseidon"),
      [
        ...["verify", "--inputs", String(statement.private_input.length)],
        ...["--public-input", statement.public_input, "--proof", `@${file}`],
      ],
      { env: {}, timeout: VERIFY_TIMEOUT_MS },
    );
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === REJECTED) return false;
    throw error;
  }
}
