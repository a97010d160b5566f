/** What the checker as a program returns of a run's files, with the tasks that the service exports. */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { Cluster } from "../../cluster/cluster.ts";

const OUTPUT_BYTES_MAX = 256 * 2 ** 20;

export interface Verdict {
  readonly lines: number;
  readonly checks: readonly { readonly name: string; readonly ran: boolean; readonly judged?: string }[];
  readonly violations: readonly { readonly check: string; readonly sentence: string }[];
}

/** All tasks there are, in files that the checker reads: an export has a bounded number, so one for each part of the time. */
export async function exportTasks(cluster: Cluster, until: readonly string[]): Promise<readonly string[]> {
  const { url, key } = cluster.client();
  const bounds = [null, ...until, null];
  const files: string[] = [];
  for (const [index, after] of bounds.slice(0, -1).entries()) {
    const before = bounds[index + 1] ?? null;
    const query = new URLSearchParams({ format: "json" });
    if (after !== null) query.set("created_after", after);
    if (before !== null) query.set("created_before", before);
    const response = await fetch(`${url}/v1/tasks/export?${query}`, { headers: { "x-api-key": key } });
    if (!response.ok || response.body === null) throw new Error(`export: ${response.status} ${await response.text()}`);
    const file = join(cluster.folder, `tasks-${index}.json`);
    await pipeline(response.body, createWriteStream(file));
    files.push(file);
  }
  return files;
}

/** Throws where the program could not use the history. */
export async function checkHistory(files: readonly string[]): Promise<Verdict> {
  const args = [inRepository("test", "checker", "main.js"), "--json", ...files];
  const end = await promisify(execFile)(process.execPath, args, { maxBuffer: OUTPUT_BYTES_MAX }).catch(
    (error: { readonly stdout: string; readonly stderr: string; readonly code: number }) => error,
  );
  if (!end.stdout.startsWith("{")) throw new Error(`the checker judged nothing: ${end.stderr}`);
  return JSON.parse(end.stdout) as Verdict;
}
