/** The commands of `elastic-coordinator` that operators run next to a cluster, each as a separate process. */
import { type ChildProcess, execFile } from "node:child_process";
import { join } from "node:path";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { Cluster } from "./cluster.ts";
import { secretsKeyFile } from "./coordinator.ts";
import { programPath } from "./machine.ts";

const MAIN = inRepository("coordinator", "main.ts");

interface EndedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface OperatorCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedCommand>;
}

/** With the settings of a cluster that has one coordinator. */
export function startOperatorCommand({ folder, etcd }: Cluster, ...args: readonly string[]): OperatorCommand {
  const env = {
    ...COMPILE_CACHE,
    PATH: programPath(),
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_BLOBS_DIR: join(folder, "blobs"),
    ELASTIC_ARCHIVE: `sqlite:${join(folder, "archive.db")}`,
    ELASTIC_SECRETS_KEY_FILE: secretsKeyFile(folder),
  };
  const ended = Promise.withResolvers<EndedCommand>();
  const child = execFile(
    process.execPath,
    [MAIN, ...args],
    { env, maxBuffer: 64 * 1024 * 1024 },
    (_error, stdout, stderr) => ended.resolve({ code: child.exitCode, stdout, stderr }),
  );
  return { child, ended: ended.promise };
}

/** Its output as JSON; rejects where it fails. */
export async function operatorJson<T>(cluster: Cluster, ...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await startOperatorCommand(cluster, ...args, "--json").ended;
  if (code !== 0) throw new Error(`${args.join(" ")}: exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
