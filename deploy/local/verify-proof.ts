/** Checks a proof of the demo prover with the separate verifier, which trusts nothing that the service says. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { inRepository } from "./repository.ts";

const VERIFIER = inRepository("target", "release", "poseidon");
const VERIFY_TIMEOUT_MS = 60_000;
const ACCEPTED = 0;
const REJECTED = 1;

/** "I know so many numbers whose Poseidon hash is this." */
export interface Claim {
  readonly inputs: number;
  readonly publicInput: string;
}

/** Whether the proof shows the claim. */
export async function verifyProof(proof: string, { inputs, publicInput }: Claim): Promise<boolean> {
  const args = [
    "verify",
    "--inputs",
    String(inputs),
    "--public-input",
    publicInput,
    "--proof",
    "-",
    "--allow-development",
  ];
  const verifier = spawn(VERIFIER, args, { env: {}, stdio: ["pipe", "ignore", "pipe"], timeout: VERIFY_TIMEOUT_MS });
  let said = "";
  verifier.stderr.on("data", (data) => {
    said += data;
  });
  // It may have judged before it has read everything.
  verifier.stdin.on("error", () => {});
  verifier.stdin.end(proof);
  const [code] = (await once(verifier, "close")) as [number | null];
  if (code !== ACCEPTED && code !== REJECTED) throw new Error(`the verifier ended with ${code}: ${said}`);
  return code === ACCEPTED;
}
