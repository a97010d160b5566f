/** The input that a new deployment of a service must prove: the last that the service proved and still has. */
import type { TaskHistory } from "../archive/task-history.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { Canary } from "../domain/deployment.ts";
import { SMALL_BYTES_MAX } from "../domain/limits.ts";
import { isExpired } from "../domain/retention.ts";
import type { Service } from "../domain/service.ts";
import type { Task } from "../domain/task.ts";
import type { Store } from "../store/store.ts";

export interface InputOptions {
  readonly history: Pick<TaskHistory, "list">;
  /** Finds archived tasks too. */
  readonly readable: Pick<Store, "get" | "bytes">;
  readonly blobs: Pick<BlobStore, "put" | "renew">;
}

/** The inputs of older ones have mostly expired. */
const LOOKED_AT_MAX = 50;

/** As a blob, whatever it was, so that no other record has to stay for it. Null where there is none. */
export async function lastProvedInput(
  options: InputOptions,
  { id: serviceId, teamId }: Pick<Service, "id" | "teamId">,
  now: number,
): Promise<Canary | null> {
  const page = { offset: 0, limit: LOOKED_AT_MAX };
  const { ids } = await options.history.list({ teamId, serviceId, phases: ["succeeded"] }, page);
  for (const id of ids) {
    const task = (await options.readable.get("tasks", id))?.value;
    // Of a canary the input is an earlier task's, whose retention it must not outlive.
    if (task?.phase.kind !== "succeeded" || task.canaryOf !== undefined || isExpired(task, now)) continue;
    const input = await retainedInput(options, task);
    if (input !== null) return { taskId: id, input, runMs: task.phase.finishedAt - task.phase.startedAt };
  }
  return null;
}

async function retainedInput(
  { readable, blobs }: InputOptions,
  { id, teamId, input }: Task,
): Promise<Canary["input"] | null> {
  if (input.where === "blob") return (await blobs.renew(teamId, input.sha256)) === null ? null : input;
  const bytes = await readable.bytes("input", id);
  if (bytes === null) return null;
  const { sha256 } = await blobs.put(teamId, one(bytes), { bytesMax: SMALL_BYTES_MAX });
  return { bytes: bytes.length, sha256, where: "blob" };
}

async function* one(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes;
}
