import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiClient, Failure, NewDeployment } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();

const MIB = 1024 * 1024;
const RESOURCES = { memory_bytes: 64 * MIB, pids: 32, cpu_millis: 1000, tmp_bytes: 8 * MIB };
const LIMITS = { run_timeout_seconds: 60, start_timeout_seconds: 60 };

/** They mostly wait for the engine, each for its own containers. */
const AT_ONCE = { concurrent: true };

let cluster: Cluster;
let client: ApiClient;
let image: string;

beforeAll(async () => {
  if (noEngine !== null) return;
  // Each service holds a slot, and another one while it is deployed again.
  cluster = await startCluster({ engine: true, agentSettings: { ELASTIC_SLOTS: "40" } });
  client = cluster.client();
  image = await cluster.publish("misbehave");
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

function misbehaving(mode: string, changes: Partial<NewDeployment> = {}): NewDeployment {
  const { env, ...others } = changes;
  return { image, env: { MISBEHAVE: mode, ...env }, resources: RESOURCES, limits: LIMITS, ...others };
}

async function deploymentIs(serviceId: string, id: string, state: string): Promise<void> {
  const isSo = async () => {
    const { json } = await client.call(`/v1/services/${serviceId}/deployments/${id}`);
    return (json as { readonly state: string }).state === state || undefined;
  };
  await until(`deployment ${id} is ${state}`, isSo, { timeoutMs: 90_000, everyMs: 100 });
}

/** Whatever came before, a good deployment of the same service serves the next task. */
async function nextTaskSucceeds(serviceId: string): Promise<void> {
  const deployment = await client.deploy(serviceId, misbehaving("echo"));
  await deploymentIs(serviceId, deployment, "Ready");
  expect((await client.prove(serviceId, '"next"')).result).toBe("next");
}

describe.skipIf(noEngine !== null)("an image that comes up and then", AT_ONCE, () => {
  const fails: Readonly<
    Record<string, { does: string; with?: Partial<NewDeployment>; failure: Partial<Failure>; message: RegExp }>
  > = {
    garbage: { does: "does not respond in HTTP", failure: { reason: "bad_output" }, message: /HTTP/ },
    nothing: { does: "closes without a response", failure: { reason: "bad_output" }, message: /response|closed/ },
    half: { does: "sends half a response", failure: { reason: "bad_output" }, message: /response/ },
    "500": { does: "responds with status 500", failure: { reason: "prover_error" }, message: /./ },
    "202": {
      does: "responds with status 202 and no body",
      failure: { reason: "bad_output" },
      message: /202 instead of 200/,
    },
    huge: {
      does: "responds without end",
      failure: { reason: "bad_output" },
      message: /limit|larger|more than|too large/,
    },
    oom: {
      does: "uses more memory than it has",
      failure: { reason: "out_of_memory", exit_code: 137 },
      message: /memory/,
    },
    crash: { does: "crashes", failure: { reason: "prover_error", exit_code: 139 }, message: /SIGSEGV|139/ },
    hang: {
      does: "never responds",
      with: { limits: { ...LIMITS, run_timeout_seconds: 2 } },
      failure: { reason: "run_timeout" },
      message: /did not respond within 2 s/,
    },
  };
  test.each(Object.entries(fails).map(([mode, row]) => ({ mode, ...row })))(
    "fails the task with a message that states it: $does",
    async ({ mode, with: changes, failure, message }) => {
      const { service_id } = await client.readyService(`bad-${mode}`, misbehaving(mode, changes));
      const task = await client.prove(service_id, "{}");
      expect(task.failure).toMatchObject({ retryable: false, attempts: 1, ...failure });
      expect(task).toMatchObject({ state: "FAILURE", result: null, error: task.failure?.message });
      expect(task.failure?.message).toMatch(message);
      await nextTaskSucceeds(service_id);
    },
  );
});

describe.skipIf(noEngine !== null)("an image that exhausts its limits", AT_ONCE, () => {
  test("a fork bomb stops at the limit of processes, and harms nobody", async () => {
    const { service_id } = await client.readyService("fork-bomb", misbehaving("fork-bomb"));
    const { forked } = JSON.parse((await client.prove(service_id, "{}")).result ?? "{}") as { forked: number };
    expect(forked).toBeGreaterThan(0);
    expect(forked).toBeLessThan(RESOURCES.pids);
    await nextTaskSucceeds(service_id);
  });

  test("a full /tmp stops at its size, and the next task on the same deployment succeeds", async () => {
    const { service_id } = await client.readyService("fill-tmp", misbehaving("fill-tmp"));
    const { bytes } = JSON.parse((await client.prove(service_id, "{}")).result ?? "{}") as { bytes: number };
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(RESOURCES.tmp_bytes);
    expect((await client.prove(service_id, "{}")).state).toBe("SUCCESS");
  });

  test("a log flood costs nothing but its own lines", async () => {
    const { service_id } = await client.readyService("log-flood", misbehaving("log-flood"));
    expect((await client.prove(service_id, "{}")).state).toBe("SUCCESS");
    expect((await client.prove(service_id, "{}")).state).toBe("SUCCESS");
  });
});

describe.skipIf(noEngine !== null)("an image that does not come up", AT_ONCE, () => {
  test("because it exits at once: the service shows code and log, and accepts no task until a good one", async () => {
    const { service_id } = await client.createService("exits");
    await client.deploy(service_id, misbehaving("exit"));
    const failed = await client.serviceIs(service_id, "Failed");
    expect(failed.failure?.message).toMatch(/code 3/);
    const refused = await client.call(`/v1/services/${service_id}`, {
      method: "POST",
      body: '{"input":{}}',
      headers: { "content-type": "application/json" },
    });
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({ code: "service_not_ready" });
    await nextTaskSucceeds(service_id);
  });

  test("because it never listens: the start times out", async () => {
    const { service_id } = await client.createService("never-listens");
    await client.deploy(service_id, misbehaving("never-listen", { limits: { ...LIMITS, start_timeout_seconds: 3 } }));
    expect((await client.serviceIs(service_id, "Failed")).failure?.reason).toBe("start_timeout");
    await nextTaskSucceeds(service_id);
  });

  test("because it does not exist: the deployment is rejected with the image's name", async () => {
    const { service_id } = await client.createService("unknown-image");
    const unknown = image.replace(/:test$/, ":nowhere");
    const response = await client.call(`/v1/services/${service_id}/deployments`, {
      method: "POST",
      body: JSON.stringify({ image: unknown }),
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(422);
    expect(response.json).toMatchObject({ code: "image_not_found", detail: expect.stringContaining("misbehave") });
    await nextTaskSucceeds(service_id);
  });

  test("after a good one: the good one continues to serve", async () => {
    const { service_id } = await client.readyService("rolls-back", misbehaving("echo"));
    const bad = await client.deploy(service_id, misbehaving("exit"));
    await deploymentIs(service_id, bad, "Failed");
    expect((await client.service(service_id)).state).toBe("Ready");
    expect((await client.prove(service_id, '"still"')).result).toBe("still");
  });

  test("because it listens late, but within its time: it serves", async () => {
    const late = misbehaving("late-listen", { env: { LATE_MS: "1500" } });
    const { service_id } = await client.readyService("late", late);
    expect((await client.prove(service_id, '"late"')).result).toBe("late");
  });
});
