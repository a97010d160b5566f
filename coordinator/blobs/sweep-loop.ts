/**
 * Removes blobs that no task, batch, upload, volume or build names, now and then. A blob is put before the record that names it, so
 * only what is older than an hour counts; putting it again makes it young.
 */
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import type { Task } from "../domain/task.ts";
import { isComplete, type TaskBatch } from "../domain/task-batch.ts";
import type { Upload } from "../domain/upload.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { BlobAddress, BlobStore, Swept } from "./blob-store.ts";

const EVERY_MS = 3_600_000;
const OLDER_THAN_MS = 3_600_000;

export interface SweepOptions {
  readonly blobs: Pick<BlobStore, "sweep">;
  /** All tasks of the store. */
  readonly tasks: () => AsyncIterable<Task>;
  /** All that have not been forgotten. */
  readonly uploads: () => AsyncIterable<Pick<Upload, "teamId" | "sha256">>;
  /** All that have not been forgotten. */
  readonly batches: () => AsyncIterable<TaskBatch>;
  /** All that are retained. */
  readonly sources: () => AsyncIterable<BlobAddress>;
  /** Inputs that deployments coming up are to prove. */
  readonly canaries: () => Iterable<BlobAddress>;
  /** All of which volumes are made, their manifests included. */
  readonly volumeFiles: () => AsyncIterable<BlobAddress>;
  /** Which of these the archived tasks name that have not expired. Called after the tasks of the store are known. */
  readonly archived: (blobs: readonly BlobAddress[]) => Promise<readonly BlobAddress[]>;
  readonly swept: (swept: Swept) => void;
  /** One coordinator is enough. */
  readonly isLeading: () => boolean;
  readonly log: Logger;
}

export function startBlobSweep(options: SweepOptions & { readonly loops: LoopMetrics }): Loop {
  const { isLeading: isActive, loops, log } = options;
  return startMeteredLoop({
    name: "sweep_blobs",
    everyMs: EVERY_MS,
    isActive,
    turn: () => sweep(options),
    loops,
    log,
    failure: "blobs could not be swept",
  });
}

export async function sweep(options: Omit<SweepOptions, "isLeading">): Promise<void> {
  const { blobs, archived, log } = options;
  const named = await namedInStore(options);
  const findNamed = async (teamId: string, sha256s: readonly string[]): Promise<ReadonlySet<string>> => {
    const others = sha256s.filter((sha256) => !named.has(`${teamId}/${sha256}`));
    const found = new Set((await archived(others.map((sha256) => ({ teamId, sha256 })))).map(({ sha256 }) => sha256));
    return new Set(sha256s.filter((sha256) => found.has(sha256) || named.has(`${teamId}/${sha256}`)));
  };
  const swept = await blobs.sweep(findNamed, OLDER_THAN_MS);
  options.swept(swept);
  if (swept.blobs > 0) log.info({ ...swept, named: named.size }, "blobs swept");
}

async function namedInStore({
  tasks,
  uploads,
  batches,
  sources,
  canaries,
  volumeFiles,
}: Omit<SweepOptions, "isLeading">): Promise<Set<string>> {
  const named = new Set<string>();
  for await (const { teamId, sha256 } of volumeFiles()) named.add(`${teamId}/${sha256}`);
  for await (const { teamId, sha256 } of sources()) named.add(`${teamId}/${sha256}`);
  // Before the tasks: one that proves an input names it then.
  for (const { teamId, sha256 } of canaries()) named.add(`${teamId}/${sha256}`);
  for await (const batch of batches()) if (!isComplete(batch)) named.add(`${batch.teamId}/${batch.body.sha256}`);
  // Before the tasks: one that takes an upload over meanwhile names it in its place.
  for await (const { teamId, sha256 } of uploads()) named.add(`${teamId}/${sha256}`);
  for await (const task of tasks()) {
    if (task.input.where === "blob") named.add(`${task.teamId}/${task.input.sha256}`);
    const { phase } = task;
    if (phase.kind === "succeeded" && phase.result.where === "blob") named.add(`${task.teamId}/${phase.result.sha256}`);
  }
  return named;
}
