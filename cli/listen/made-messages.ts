/**
 * The messages of a service that has no webhook yet: as one would post them, made from the records of what ended. Only the
 * fraction of the second in `timestamp` is not known here.
 */
import { createHash } from "node:crypto";
import { listItems } from "elastic-client/lists/list-items.ts";
import type { Caller } from "../api/caller.ts";
import { explained } from "../api/client.ts";
import type { DeploymentRecord, TaskRecord } from "../api/records.ts";
import { getDeployment, listDeployments } from "../api/services.ts";
import { getTask } from "../api/tasks.ts";
import type { MessageSource, WebhookMessage } from "./webhook-message.ts";

/** What a webhook's body is below. */
const BODY_BYTES_MAX = 20_000;
const HEADERS = { "content-type": "application/json", "user-agent": "elastic-webhooks" };
const OPEN: readonly string[] = ["queued", "running"];

/** Of tasks and deployments that end from now on. */
export async function madeMessages(caller: Caller, serviceId: string): Promise<MessageSource> {
  const newest = await taskIds(caller, { service_id: serviceId }, 1);
  const since = newest[0] ?? "";
  const open = new Set(await taskIds(caller, { service_id: serviceId, state: "PENDING" }));
  const ended = new Set((await listDeployments(caller, serviceId)).filter(hasEnded).map(({ deployment_id: id }) => id));
  const ofTask = async (id: string): Promise<WebhookMessage | null> => {
    const task = await getTask(caller, id);
    // Nobody posted a canary, so nobody waits for it.
    if (task.canary_of !== null || task.state === "PENDING") return null;
    open.delete(id);
    return taskMessage(task);
  };
  return {
    async catchUp() {
      const created = await taskIds(caller, { service_id: serviceId }, undefined, since);
      const ids = [...new Set([...open, ...created])].toSorted();
      const messages: (WebhookMessage | null)[] = [];
      for (const id of ids) messages.push(await ofTask(id));
      const deployments = (await listDeployments(caller, serviceId)).toReversed();
      messages.push(
        ...deployments.filter((one) => hasEnded(one) && !ended.has(one.deployment_id)).map(deploymentMessage),
      );
      return messages.filter((message) => message !== null);
    },
    async onChange({ kind, id, service_id: of, state }) {
      if (of !== serviceId || id === null || state === null) return null;
      if (kind === "task" && OPEN.includes(state)) open.add(id);
      else if (kind === "task") return await ofTask(id);
      if (kind !== "deployment" || !["ready", "failed"].includes(state) || ended.has(id)) return null;
      return deploymentMessage(await getDeployment(caller, { service_id: serviceId, deployment_id: id }));
    },
    isUnnamed: ({ kind, id }) => (kind === "task" || kind === "deployment") && id === null,
  };
}

/** Newest first; those after `since`, which ids that begin with the time show. */
async function taskIds(
  caller: Caller,
  filter: Readonly<Record<string, string>>,
  countMax = Number.POSITIVE_INFINITY,
  since = "",
): Promise<readonly string[]> {
  return await explained(caller, async (connection) => {
    const ids: string[] = [];
    const options = { signal: caller.signal, pageSize: Math.min(100, countMax) };
    for await (const { task_id: id } of listItems<TaskRecord>(connection, "/v1/tasks", filter, options)) {
      if (id <= since) break;
      ids.push(id);
      if (ids.length >= countMax) break;
    }
    return ids;
  });
}

function hasEnded({ stage }: DeploymentRecord): boolean {
  return stage === "ready" || stage === "failed";
}

function taskMessage(task: TaskRecord): WebhookMessage {
  const type = `task.${task.phase}`;
  const data = { ...task, input: null };
  const at = { type, subjectId: task.task_id, time: task.finished ?? task.created };
  const message = toMessage(at, data);
  if (task.result === null || Buffer.byteLength(message.body) < BODY_BYTES_MAX) return message;
  return toMessage(at, { ...data, result: null, result_omitted: true });
}

function deploymentMessage(deployment: DeploymentRecord): WebhookMessage {
  const { deployment_id: subjectId, stage, stage_since: time } = deployment;
  return toMessage({ type: `deployment.${stage}`, subjectId, time }, deployment);
}

/** Its id is the same each time that it is made. `time` is UTC, without an offset. */
function toMessage(
  { type, subjectId, time }: { readonly type: string; readonly subjectId: string; readonly time: string },
  data: object,
): WebhookMessage {
  const id = createHash("sha256").update(`${type} ${subjectId}`).digest("hex").slice(0, 32);
  const body = JSON.stringify({ type, timestamp: `${time}.000Z`, data });
  return { id, type, subjectId, headers: { ...HEADERS, "webhook-id": id }, body };
}
