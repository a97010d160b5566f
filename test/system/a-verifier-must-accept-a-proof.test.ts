import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ApiClient, NewDeployment } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { INPUT } from "./statement.ts";

const noEngine = await whyNoEngineHere();

const MIB = 1024 * 1024;
const RESOURCES = { memory_bytes: 64 * MIB, pids: 32, cpu_millis: 1000, tmp_bytes: 8 * MIB };

let cluster: Cluster;
let client: ApiClient;

beforeAll(async () => {
  cluster = await startCluster({ engine: noEngine === null, agentSettings: { ELASTIC_SLOTS: "4" } });
  client = cluster.client();
});
afterEach(() => client?.deleteServices());
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** The image is its own verifier: as one it accepts a result that is its input, or misbehaves by `verifier`. */
async function verified(env: Readonly<Record<string, string>>, more: Partial<NewDeployment> = {}): Promise<string> {
  const image = await cluster.publish("misbehave");
  const deployment = { image, verifier_image: image, env, resources: RESOURCES, ...more };
  return (await client.readyService("verified", deployment)).service_id;
}

test("proofs of the builtin prover pass its builtin verifier, without any container", async () => {
  const deployment = { image: "builtin:poseidon", verifier_image: "builtin:poseidon-verify" };
  const { service_id: id } = await client.readyService("poseidon", deployment);
  const task = await client.prove(id, INPUT);
  expect(task).toMatchObject({ state: "SUCCESS", attempt: 1 });
});

test.skipIf(noEngine !== null)("a result that the verifier accepts succeeds, whatever it is made of", async () => {
  const id = await verified({ MISBEHAVE: "echo" });
  for (const input of ['{"n":12345678901234567890,"a":1,"a":2}', '"text with \\"quotes\\""', "[1e400]", "null"]) {
    expect(await client.prove(id, input), input).toMatchObject({ state: "SUCCESS", attempt: 1 });
  }
  const large = JSON.stringify("y".repeat(3 * MIB));
  expect((await client.prove(id, large)).state).toBe("SUCCESS");
});

test.skipIf(noEngine !== null)(
  "a result that the verifier rejects is bad output, in the verifier's words",
  async () => {
    const id = await verified({ MISBEHAVE: "sleep" });
    expect((await client.prove(id, '{"ms":1}')).failure).toMatchObject({
      reason: "bad_output",
      message: "the verifier rejected the result: the result is not the input",
      retryable: false,
      attempts: 1,
    });
  },
);

test.skipIf(noEngine !== null).each([
  ["500", "failing as configured"],
  ["garbage", "HTTP"],
  ["crash", "SIGSEGV"],
  ["sleep", "something other than"],
])("retries the task when the verifier does %s, and reports that in the end", async (mode, message) => {
  const id = await verified({ MISBEHAVE: "echo", VERIFIER: mode });
  const { failure } = await client.prove(id, '{"ms":1}');
  expect(failure).toMatchObject({ reason: "internal", retryable: true, attempts: 3 });
  expect(failure?.message).toContain("the verifier did not say whether the proof is valid");
  expect(failure?.message).toContain(message);
});

test.skipIf(noEngine !== null)("a verifier that hangs ends with the time for the run", async () => {
  const limits = { run_timeout_seconds: 2, start_timeout_seconds: 60 };
  const id = await verified({ MISBEHAVE: "echo", VERIFIER: "hang" }, { limits });
  const { failure } = await client.prove(id, "1");
  expect(failure).toMatchObject({ reason: "internal", attempts: 3 });
  expect(failure?.message).toContain("the verifier did not respond");
});

test.skipIf(noEngine !== null)("a verifier that does not come up fails the deployment, and is named", async () => {
  const image = await cluster.publish("misbehave");
  const { service_id: id } = await client.createService("no-verifier");
  await client.deploy(id, { image, verifier_image: image, env: { VERIFIER: "exit" }, resources: RESOURCES });
  const failed = await client.serviceIs(id, "Failed");
  expect(failed.failure).toMatchObject({ reason: "prover_error" });
  expect(failed.failure?.message).toMatch(/^the verifier: .*code 3/);
});
