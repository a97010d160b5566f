/**
 * The payload of an event, in the JSON of the API: the record of its deployment, of the build from which none came, or of
 * its task as a list has it, with the result where it fits, else with its link alone. Main hands it to the sender of
 * webhooks.
 */
import { buffer } from "node:stream/consumers";
import { BlobCorruptError, type BlobStore } from "../blobs/blob-store.ts";
import type { Delivery } from "../domain/delivery.ts";
import { isTerminal, type Task } from "../domain/task.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Store } from "../store/store.ts";
import { buildRecord } from "./build-record.ts";
import { deploymentRecord } from "./deployment-record.ts";
import { type ResultLinkSource, resultMembers } from "./task-link.ts";
import { taskText } from "./task-record.ts";

export interface EventSource extends ResultLinkSource {
  readonly store: Pick<Store, "get" | "bytes" | "view">;
  readonly blobs: Pick<BlobStore, "open">;
  readonly secrets: Pick<Secrets, "open" | "sign">;
}

/** JSON text of at most `bytesMax` bytes; null when the subject of the event is gone. */
export async function eventData(source: EventSource, delivery: Delivery, bytesMax: number): Promise<string | null> {
  if (delivery.type === "webhook.test") {
    return JSON.stringify({ webhook_id: delivery.webhookId, service_id: delivery.serviceId });
  }
  if (delivery.type === "deployment.ready" || delivery.type === "deployment.failed") {
    const describe = delivery.subjectKind === "build" ? buildData : deploymentData;
    return await describe(source, delivery.subjectId);
  }
  const task = await findTask(source, delivery.subjectId);
  if (task === null) return null;
  const withResult = textOf(source, task, await resultOf(source, task, bytesMax));
  if (Buffer.byteLength(withResult) <= bytesMax) return withResult;
  const withoutResult = textOf(source, task, null);
  return Buffer.byteLength(withoutResult) <= bytesMax ? withoutResult : textOf(source, withoutLogTail(task), null);
}

/** As it now stands: another deployment may have taken its place since. */
async function deploymentData({ store, secrets }: EventSource, id: string): Promise<string | null> {
  const deployment = (await store.get("deployments", id))?.value;
  const service = deployment && (await store.get("services", deployment.serviceId))?.value;
  if (deployment === undefined || service === undefined) return null;
  const rollOut = store.view.rollOuts.get(id)?.value ?? null;
  return JSON.stringify(deploymentRecord({ secrets }, service, deployment, rollOut));
}

/** Of a build from which no deployment came. */
async function buildData({ store }: EventSource, id: string): Promise<string | null> {
  const build = (await store.get("builds", id))?.value;
  return build === undefined ? null : JSON.stringify(buildRecord(store.view, build));
}

/** It has ended and does not change any more, so that it may be read from the view. */
async function findTask({ store }: EventSource, id: string): Promise<Task | null> {
  const seen = store.view.tasks.get(id)?.value;
  if (seen !== undefined && isTerminal(seen.phase)) return seen;
  return (await store.get("tasks", id))?.value ?? null;
}

function textOf(source: EventSource, task: Task, result: string | null): string {
  const text = taskText(task, { ...resultMembers(source, task, result === null), progress: null, waiting: null });
  return `${text.beforeInput}null${text.beforeResult}${JSON.stringify(result)}${text.end}`;
}

/** Null where there is none, it has no room, or its bytes are no longer retained or damaged. */
async function resultOf({ store, blobs }: EventSource, task: Task, bytesMax: number): Promise<string | null> {
  const { phase } = task;
  if (phase.kind !== "succeeded" || phase.result.bytes > bytesMax) return null;
  if (phase.result.where === "store") return (await store.bytes("result", task.id))?.toString() ?? null;
  try {
    const opened = await blobs.open(task.teamId, phase.result.sha256, phase.result);
    return opened && (await buffer(opened.stream)).toString();
  } catch (error) {
    // The event is of the end of the task all the same.
    if (error instanceof BlobCorruptError) return null;
    throw error;
  }
}

/** A log may be of characters that JSON writes in six bytes each. */
function withoutLogTail(task: Task): Task {
  const { phase } = task;
  if (!("failure" in phase)) return task;
  return { ...task, phase: { ...phase, failure: { ...phase.failure, logTail: "" } } };
}
