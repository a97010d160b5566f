import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Deployment, Resources } from "../../domain/deployment.ts";
import { lost } from "../../domain/node.ts";
import { deploy, newService, rolledOut, type Service } from "../../domain/service.ts";
import { aDeployment, aGpu, aNode, anAssignment, aWorkload } from "../../domain/testing/records.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove, replace } from "../../store/change.ts";
import type { RecordKind } from "../../store/keys.ts";
import type { RecordTypes } from "../../store/store.ts";
import { call } from "../testing/call.ts";
import { type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask } from "../testing/run-task.ts";

let api: HttpFixture;
beforeEach(async () => {
  api = await startHttpFixture();
});
afterEach(() => api.close());

async function addService(resources: Partial<Resources>, given: { readonly ready: boolean; readonly min?: number }) {
  const { userId: creatorId, teamId } = api.own;
  const bare = newService({ id: newId(Date.now()), teamId, name: "prover", creatorId, createdAt: 0 });
  const scaling = { min: given.min ?? 0 };
  const deployment = aDeployment({ id: newId(Date.now()), serviceId: bare.id, teamId, creatorId, resources, scaling });
  const next = deploy(bare, deployment.id);
  const service = given.ready ? rolledOut(next) : next;
  await api.store.commit([create("services", service), create("deployments", deployment)]);
  return { service, deployment };
}

async function read<K extends RecordKind>(kind: K, id: string): Promise<Versioned<RecordTypes[K]>> {
  const found = await api.store.get(kind, id);
  if (found === null) throw new Error(`there is no ${kind}/${id}`);
  return found;
}

const send = ({ id }: Service) => call(`${api.url}/v1/services/${id}`, { key: api.own.key, body: '{"input":1}' });
const serviceInfo = ({ id }: Service) => call(`${api.url}/v1/services/${id}`, { key: api.own.key });
const taskInfo = (id: string) => call(`${api.url}/v1/tasks/${id}`, { key: api.own.key });

/** Why its first task waits, as the response to its creation shows. */
async function waitingOf(service: Service) {
  const { status, json } = await send(service);
  expect([status, json.state]).toEqual([201, "PENDING"]);
  return json.waiting;
}

test("a task that no machine of the fleet could ever serve says so in the response to its creation, and no longer once one could", async () => {
  await api.store.commit([create("nodes", aNode("a", { labels: { zone: "b" } }))]);
  const { service } = await addService({ gpuCount: 1, gpuModel: "H100", nodeLabels: { zone: "b" } }, { ready: true });
  const waiting = {
    reason: "no_such_gpu",
    message: "no machine of the fleet has 1 GPU of H100 among those with the labels zone=b; it has no GPUs",
  };
  const { json } = await send(service);
  expect(json.waiting).toEqual(waiting);
  const listed = await call(`${api.url}/v1/tasks`, { key: api.own.key });
  expect(listed.json.items).toMatchObject([{ task_id: json.task_id, waiting }]);
  expect((await serviceInfo(service)).json.waiting).toEqual(waiting);
  const before = await read("nodes", "a");
  const after = aNode("a", { labels: { zone: "b" }, gpus: [aGpu("1")] });
  await api.store.commit([replace("nodes", before, after)]);
  expect((await taskInfo(json.task_id)).json.waiting?.reason).toBe("no_room");
  expect((await serviceInfo(service)).json.waiting).toBeNull();
  await claimTask(api, json.task_id);
  expect((await taskInfo(json.task_id)).json.waiting).toBeNull();
});

test("a label that no machine has is named", async () => {
  await api.store.commit([create("nodes", aNode("a"))]);
  const { service } = await addService({ nodeLabels: { zone: "c" } }, { ready: true });
  expect(await waitingOf(service)).toMatchObject({ reason: "no_such_label" });
});

async function place(deployment: Deployment) {
  const assignment = anAssignment(deployment, "a", { id: newId(Date.now()) });
  await api.store.commit([create("assignments", assignment)]);
  return assignment;
}

test("a task says whether a copy comes up, failed to, or is at work", async () => {
  await api.store.commit([create("nodes", aNode("a"))]);
  const { service, deployment } = await addService({}, { ready: true });
  expect(await waitingOf(service)).toMatchObject({ reason: "no_room" });
  const assignment = await place(deployment);
  expect(await waitingOf(service)).toMatchObject({ reason: "starting" });
  const failure = { step: null, reason: "gpu_fault", message: "Xid 79", exitCode: null, logTail: "" } as const;
  await api.store.commit([create("workloads", aWorkload(assignment, { phase: "failed", failure }))]);
  expect(await waitingOf(service)).toEqual({
    reason: "start_failed",
    message: "the last start failed and is tried again: Xid 79",
  });
  const failed = await read("workloads", assignment.id);
  await api.store.commit([replace("workloads", failed, aWorkload(assignment))]);
  expect(await waitingOf(service)).toMatchObject({ reason: "busy" });
  const node = await read("nodes", "a");
  await api.store.commit([replace("nodes", node, lost(node.value, 1))]);
  expect(await waitingOf(service)).toMatchObject({ reason: "no_room" });
  await api.store.commit([remove("assignments", await read("assignments", assignment.id))]);
  expect(await waitingOf(service)).toMatchObject({ reason: "no_room" });
});

test("a service says at once why its first deployment does not come up", async () => {
  await api.store.commit([create("nodes", aNode("a", { slots: 0 }))]);
  const { service, deployment } = await addService({}, { ready: false });
  expect((await serviceInfo(service)).json).toMatchObject({
    state: "Unready",
    waiting: { reason: "no_such_machine", message: expect.stringContaining("the builtin prover echo, 1 CPU") },
  });
  const node = await read("nodes", "a");
  await api.store.commit([replace("nodes", node, aNode("a"))]);
  expect((await serviceInfo(service)).json.waiting).toMatchObject({ reason: "no_room" });
  const assignment = await place(deployment);
  expect((await serviceInfo(service)).json.waiting).toMatchObject({ reason: "starting" });
  await api.store.commit([create("workloads", aWorkload(assignment))]);
  expect((await serviceInfo(service)).json.waiting).toBeNull();
});

test("a ready service that shall have a copy and has none says why, and one that may rest says nothing", async () => {
  await api.store.commit([create("nodes", aNode("a"))]);
  const wanted = await addService({}, { ready: true, min: 1 });
  const resting = await addService({}, { ready: true });
  expect((await serviceInfo(wanted.service)).json).toMatchObject({ state: "Ready", waiting: { reason: "no_room" } });
  expect((await serviceInfo(resting.service)).json.waiting).toBeNull();
});
