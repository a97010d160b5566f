import { expectHeadDescribed } from "@elastic/coordinator/http/testing/conformance.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient, ServiceRecord, TaskRecord } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { CLAIM, INPUT, WRONG_CLAIM, WRONG_INPUT } from "./statement.ts";

const noEngine = await whyNoEngineHere();
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const ID = /^[0-9a-f]{32}$/;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ engine: noEngine === null });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

test("a builtin prover turns a request into a proof that the separate verifier accepts", async () => {
  await showProof("builtin:poseidon");
});

test.skipIf(noEngine !== null)(
  "a prover in a container turns a request into a proof that the separate verifier accepts",
  async () => {
    await showProof(await cluster.publish("poseidon"));
  },
);

async function showProof(image: string): Promise<void> {
  const client = cluster.client();
  const name = image.startsWith("builtin:") ? "poseidon" : "poseidon-in-a-container";
  const service = await client.readyService(name, { image });
  const created = await client.postTask(service.service_id, INPUT);
  expectPending(created, service);
  const task = await client.ended(created.task_id);
  expect(task.failure).toBe(null);
  expect(task).toMatchObject({ ...created, state: "SUCCESS", phase: "succeeded", ...changing(task) });
  expect(task.started).toMatch(TIMESTAMP);
  expect(task.finished).toMatch(TIMESTAMP);
  const proof = task.result ?? "";
  expect(await verifyProof(proof, CLAIM)).toBe(true);
  expect(await verifyProof(proof, WRONG_CLAIM)).toBe(false);
  await showResult(client, task);
  await showRefusal(client, service.service_id);
  await client.deleteServices();
}

function expectPending(task: TaskRecord, service: ServiceRecord): void {
  expect(task).toMatchObject({
    service_id: service.service_id,
    service_name: service.service_name,
    state: "PENDING",
    input: INPUT,
    result: null,
    started: null,
    finished: null,
  });
  expect(task.task_id).toMatch(ID);
  expect(task.creator_id).toMatch(ID);
  expect(task.created).toMatch(TIMESTAMP);
}

/** The fields of a record that change with its end. */
function changing(task: TaskRecord): object {
  const { result, result_url, started, finished, attempt, phase } = task;
  const { phase_since, result_bytes, expires_at } = task as unknown as Readonly<Record<string, unknown>>;
  return { result, result_url, started, finished, attempt, phase, phase_since, result_bytes, expires_at };
}

/** The result is also to be had as bytes, with the key, and by a link without it. */
async function showResult(client: ApiClient, task: TaskRecord): Promise<void> {
  expect((await client.call(`/v1/tasks/${task.task_id}/result`)).text).toBe(task.result);
  const byLink = await fetch(task.result_url ?? "");
  await expectHeadDescribed(byLink);
  expect(await byLink.text()).toBe(task.result);
}

/** What cannot be proved is a clear error of the prover, and the next task on the same service succeeds. */
async function showRefusal(client: ApiClient, serviceId: string): Promise<void> {
  const refused = await client.prove(serviceId, WRONG_INPUT);
  expect(refused).toMatchObject({
    state: "FAILURE",
    phase: "failed",
    result: null,
    failure: { reason: "prover_error" },
  });
  expect(refused.failure?.message).toMatch(/hash|public_input|public input/);
  expect(refused.error).toBe(refused.failure?.message);
  expect((await client.prove(serviceId, INPUT)).state).toBe("SUCCESS");
}
