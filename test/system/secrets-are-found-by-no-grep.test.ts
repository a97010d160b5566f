import { expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { dumpOf, filesOf, spellings } from "../cluster/search-places.ts";
import { uploadVolume } from "../cluster/upload-volume.ts";

const noEngine = await whyNoEngineHere();

const MIB = 1024 * 1024;
const RESOURCES = { memory_bytes: 64 * MIB, pids: 32, cpu_millis: 500, tmp_bytes: 8 * MIB };

/** In a deployment's environment, and nowhere else but in its prover. */
const CANARY = "canary-5f3a9c71e0d24b68";
/** The same of one whose verifier gets it too. */
const VERIFIER_CANARY = "canary-c2e84b1f07a95d36";
/** Seen where it belongs, so that what is searched is what is there. */
const WITNESS = "witness-77d1b20c94ae4f03";

test.skipIf(noEngine !== null)(
  "environments, a webhook's secrets and an access key are in no key of etcd, no file of the service and no log",
  async () => {
    await using cluster = await startCluster({
      engine: true,
      coordinatorSettings: { ELASTIC_LOG_LEVEL: "debug" },
      agentSettings: { ELASTIC_LOG_LEVEL: "debug", ELASTIC_SLOTS: "6" },
    });
    const client = cluster.client();
    const image = await cluster.publish("misbehave");
    const volume_id = await uploadVolume(client, "witness", { witness: WITNESS });
    const env = { MISBEHAVE: "probe", TOKEN: CANARY };
    const service = await client.readyService(WITNESS, { image, env, volume_id, resources: RESOURCES });
    const secrets = await addWebhook(client, service.service_id);
    const { result } = await client.prove(service.service_id, JSON.stringify({ witness: WITNESS }));
    expect(JSON.parse(result ?? "{}").env).toContain("TOKEN");
    const verified = { image, verifier_image: image, resources: RESOURCES };
    const accepting = { ...verified, env: { MISBEHAVE: "echo", TOKEN: VERIFIER_CANARY } };
    const { service_id } = await client.readyService("verified", accepting);
    expect((await client.prove(service_id, '"proof"')).state).toBe("SUCCESS");
    const rejecting = { ...verified, env: { MISBEHAVE: "sleep", TOKEN: VERIFIER_CANARY } };
    const { service_id: rejects } = await client.readyService("rejected", rejecting);
    expect((await client.prove(rejects, '{"ms":1}')).failure).toMatchObject({ reason: "bad_output" });
    const bad = { image, resources: RESOURCES, env: { ...env, MISBEHAVE: "exit" } };
    const failing = await client.deploy(service.service_id, bad);
    const path = `/v1/services/${service.service_id}/deployments/${failing}`;
    await expect
      .poll(async () => (await client.call(path)).json, { timeout: 90_000 })
      .toMatchObject({ state: "Failed" });
    const rollback = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    expect((await client.call(`/v1/services/${service.service_id}/rollback`, rollback)).status).toBe(409);

    const places = [...(await dumpOf(cluster.etcd.endpoint)), ...(await filesOf(cluster.folder))];
    expect(places.filter(({ bytes }) => bytes.includes(WITNESS)).length).toBeGreaterThan(2);
    const logs = places.filter(({ name }) => /\/(coordinator|agent)-1\.log$/.test(name));
    expect(logs.map(({ bytes }) => bytes.length > 1_000)).toEqual([true, true]);
    for (const hidden of [CANARY, VERIFIER_CANARY, ...secrets, cluster.firstKey.key].flatMap(spellings)) {
      expect([hidden, places.filter(({ bytes }) => bytes.includes(hidden)).map(({ name }) => name)]).toEqual([
        hidden,
        [],
      ]);
    }
  },
);

/** Its secrets: the first, and the one that replaces it. */
async function addWebhook(client: ApiClient, serviceId: string): Promise<readonly string[]> {
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await client.call(path, { method: "POST", body: JSON.stringify(body), headers });
    expect([path, response.status]).toEqual([path, expect.toBeOneOf([200, 201])]);
    return response.json as { readonly webhook_id: string; readonly secret: string };
  };
  const hook = { name: "hook", url: "https://hooks.example.com/hook" };
  const made = await post(`/v1/services/${serviceId}/webhooks`, hook);
  const rotated = await post(`/v1/webhooks/${made.webhook_id}/rotate-secret`, {});
  expect(rotated.secret).not.toBe(made.secret);
  return [made, rotated].map(({ secret }) => secret.replace(/^whsec_/, ""));
}
