/** A command of operators, as they run it next to the store. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { programPath } from "./machine.ts";

const TIMEOUT_MS = 30_000;

/** What it prints with `--json`. */
export async function operatorCommand(
  etcd: string,
  ...args: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inRepository("coordinator", "main.ts"), ...args, "--json"],
    { env: { ...COMPILE_CACHE, PATH: programPath(), ELASTIC_ETCD: etcd }, timeout: TIMEOUT_MS },
  );
  return JSON.parse(stdout);
}
