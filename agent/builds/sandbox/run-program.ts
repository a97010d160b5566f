/** Programs of the system that a builder needs: bounded in time, and an error with their own words. */
import { execFile } from "node:child_process";
import { delimiter } from "node:path";
import { promisify } from "node:util";
import { PROGRAM_FOLDERS } from "../../workloads/shell/can-have-shells.ts";

const TIMEOUT_MS = 60_000;
/** What they say is read, so they say it in English. */
export const PROGRAM_ENV = { PATH: PROGRAM_FOLDERS.join(delimiter), LC_ALL: "C" };

const run = promisify(execFile);

export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

/** Resolves with its standard output. Throws ProgramError. */
export async function runProgram(name: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(name, [...args], { timeout: TIMEOUT_MS, env: PROGRAM_ENV })).stdout;
  } catch (error) {
    const words = ((error as { readonly stderr?: string }).stderr || String(error)).trim();
    throw new ProgramError(`${name}: ${words}`, { cause: error });
  }
}
