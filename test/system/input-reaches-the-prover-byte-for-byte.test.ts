import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();

/** What a parser and a writer of JSON between the client and the prover would change. */
const INPUTS = [
  '{"n":12345678901234567890,"a":1,"a":2,"x":1e400}',
  '{"2":1,"1":2,"spaces" :  [ 1 ,2 ] }',
  '[-0,1.0,1E2,0.1000,"\\u0041\\/\\ud834\\udd1e"]',
  '"é\u{1f600}"',
  "null",
];

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ engine: noEngine === null });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

test("an echo prover gets every input as it was sent", async () => {
  await echo({ image: "builtin:echo" });
});

test.skipIf(noEngine !== null)("so does an echo prover in a container", async () => {
  await echo({ image: await cluster.publish("misbehave"), env: { MISBEHAVE: "echo" } });
});

async function echo(deployment: { image: string; env?: Record<string, string> }): Promise<void> {
  const client = cluster.client();
  const { service_id } = await client.readyService(
    deployment.image.startsWith("builtin:") ? "builtin" : "container",
    deployment,
  );
  // Above 4 KiB an input takes the way through the blobs.
  for (const input of [...INPUTS, `{"long":"${"0123456789".repeat(1000)}","n":12345678901234567890}`]) {
    const task = await client.prove(service_id, input);
    expect(task.failure).toBe(null);
    expect(task.input).toBe(input);
    // A result that is a JSON string is its text.
    expect(task.result).toBe(input.startsWith('"') ? (JSON.parse(input) as string) : input);
  }
  await echoUpload(client, service_id);
}

/** More than can be sent with the task: it is streamed from the upload to the prover. */
async function echoUpload(client: ApiClient, serviceId: string): Promise<void> {
  const input = `{"large" : "${"0123456789".repeat(1_200_000)}","n":12345678901234567890}`;
  const uploaded = await client.call("/v1/uploads", { method: "POST", body: input });
  const { upload_id } = uploaded.json as { readonly upload_id: string };
  const posted = await client.call(`/v1/services/${serviceId}`, {
    method: "POST",
    body: JSON.stringify({ input_upload_id: upload_id }),
    headers: { "content-type": "application/json" },
  });
  expect(posted.status).toBe(201);
  const task = await client.ended((posted.json as { readonly task_id: string }).task_id);
  expect([task.failure, task.input]).toEqual([null, null]);
  const result = await client.call(`/v1/tasks/${task.task_id}/result`);
  expect(result.text === input).toBe(true);
}
