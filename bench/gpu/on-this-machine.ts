/** Measuring on a GPU of this machine, by a script that needs no Node: what it says is logged as it comes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { gpuModels } from "../benchmark/machine.ts";

/** What is missing here, in words. */
export function missingGpu(): string | undefined {
  return gpuModels().length > 0 ? undefined : "There is no GPU here, or no driver for it: nvidia-smi names none";
}

/** Throws unless the script ends with 0. */
export async function runScript(script: string, args: readonly string[], log: (text: string) => void): Promise<void> {
  const child = spawn("bash", [script, ...args], { stdio: ["ignore", "inherit", "pipe"] });
  createInterface(child.stderr).on("line", log);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${script} ${args.join(" ")} ended with ${code}`);
}
