/** Records whose texts try to be more than text, written past the interface, which would refuse some of them. */
import { join } from "node:path";
import { anEndedTask } from "@elastic/coordinator/archive/testing/ended-tasks.ts";
import { afterTry } from "@elastic/coordinator/domain/delivery.ts";
import { beginRollOut, rollOutEvent, withEvents } from "@elastic/coordinator/domain/roll-out.ts";
import { deploy, newService, rollOutFailed } from "@elastic/coordinator/domain/service.ts";
import type { Task } from "@elastic/coordinator/domain/task.ts";
import { aDelivery, aDeployment, aWebhook } from "@elastic/coordinator/domain/testing/records.ts";
import { create, inputBytes } from "@elastic/coordinator/store/change.ts";
import { connectEtcd } from "@elastic/coordinator/store/etcd/etcd-kv.ts";
import { openStore } from "@elastic/coordinator/store/open/open-store.ts";
import { openFileTaskLogs } from "@elastic/coordinator/task-logs/file-task-logs.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import type { Cluster } from "../cluster/cluster.ts";

const MARKUP = `<img src=x onerror="window.owned=1"><script>window.owned=1</script><svg onload="window.owned=1">`;
/** As provers may write it: markup, a link, colours, a terminal's title, and text that reads from right to left. */
export const HOSTILE = `${MARKUP}<a href="javascript:window.owned=1">\u001b[31mred\u001b]0;title\u0007\u202eevil\u2066\u0000`;
/** What all pages show of it. */
export const SHOWN = '<img src=x onerror="window.owned=1">';
const LONG_LINE_BYTES = 10_000_000;

export interface HostileIds {
  readonly serviceId: string;
  readonly taskId: string;
}

/** A service that failed to deploy, with a webhook that had a response, and a task of it that failed, with a log of one line. */
export async function addHostileRecords(cluster: Cluster): Promise<HostileIds> {
  const log = createLog({ name: "test", level: "silent" });
  const kv = connectEtcd({ endpoints: [cluster.etcd.endpoint], log });
  const store = await openStore({ kv, clock: systemClock, log });
  const { teamId } = cluster.firstKey;
  const now = Date.now();
  const failure = {
    step: "checking",
    reason: "prover_error",
    message: HOSTILE,
    exitCode: 1,
    logTail: HOSTILE,
  } as const;
  const bare = newService({ id: newId(now), teamId, name: MARKUP, creatorId: newId(now), createdAt: now });
  const deployment = { ...aDeployment({ serviceId: bare.id }), id: newId(now), teamId, image: MARKUP, tag: MARKUP };
  const service = rollOutFailed(deploy(bare, deployment.id), failure);
  const begun = beginRollOut(
    { id: deployment.id, serviceId: service.id, teamId },
    { receivedAt: now, resolvedAt: now },
    HOSTILE,
  );
  const rollOut = withEvents(begun, [rollOutEvent("failed", now, { failure })]);
  const webhook = { ...aWebhook(service), teamId, name: HOSTILE, url: `https://example.com/${HOSTILE}` };
  const tried = { at: now, ms: 1, status: 500, error: null, answer: HOSTILE, retryAfterMs: null };
  const delivery = { ...afterTry(aDelivery(webhook), tried, 0), phase: { kind: "failed", at: now } as const };
  const task = failedTask(
    anEndedTask({ teamId, serviceId: service.id, serviceName: MARKUP, createdAt: now, phase: "failed" }),
  );
  await store.commit([create("services", service), create("deployments", deployment), create("roll-outs", rollOut)]);
  await store.commit([create("webhooks", webhook), create("deliveries", delivery)]);
  await store.commit([create("tasks", task), inputBytes(task.id, Buffer.from(JSON.stringify(HOSTILE)))]);
  await store.close();
  await kv.close();
  await writeLog(cluster, task);
  return { serviceId: service.id, taskId: task.id };
}

function failedTask(task: Task): Task {
  if (!("failure" in task.phase)) throw new Error("the task did not fail");
  const failure = { ...task.phase.failure, reason: "prover_error", message: HOSTILE, logTail: HOSTILE } as const;
  return { ...task, phase: { ...task.phase, failure } };
}

async function writeLog(cluster: Cluster, { teamId, id: taskId }: Task): Promise<void> {
  const logs = openFileTaskLogs(join(cluster.folder, "blobs"));
  const ref = { teamId, taskId, attempt: 1 };
  await logs.append(ref, 0, Buffer.from(HOSTILE.padEnd(LONG_LINE_BYTES, "x")));
  await logs.complete(ref);
}
