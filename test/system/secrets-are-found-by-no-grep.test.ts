import { expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { dumpOf, filesOf, spellings } from "../cluster/search-places.ts";
import { uploadVolume } from "../cluster/upload-volume.ts";

const noEngine = await whyNoEngineHere();

/** Told to a deployment, and to nobody else but its prover. */
const CANARY = "canary-5f3a9c71e0d24b68";
/** Seen where it belongs, so that what is searched is what is there. */
const WITNESS = "witness-77d1b20c94ae4f03";

test.skipIf(noEngine !== null)(
  "an environment, a webhook's secret and an access key are in no key of etcd, no file of the service and no log",
  async () => {
    await using cluster = await startCluster({
      engine: true,
      coordinatorSettings: { ELASTIC_LOG_LEVEL: "debug" },
      agentSettings: { ELASTIC_LOG_LEVEL: "debug" },
    });
    const client = cluster.client();
    const image = await cluster.publish("misbehave");
    const volume_id = await uploadVolume(client, "witness", { witness: WITNESS });
    const env = { MISBEHAVE: "probe", TOKEN: CANARY };
    const service = await client.readyService(WITNESS, { image, env, volume_id });
    const secret = await addWebhook(cluster, service.service_id);
    const { result } = await client.prove(service.service_id, JSON.stringify({ witness: WITNESS }));
    expect(JSON.parse(result ?? "{}").env).toContain("TOKEN");
    const bad = { image, env: { ...env, MISBEHAVE: "exit" } };
    const failing = await client.deploy(service.service_id, bad);
    const path = `/v1/services/${service.service_id}/deployments/${failing}`;
    await expect
      .poll(async () => (await client.call(path)).json, { timeout: 60_000 })
      .toMatchObject({ state: "Failed" });
    const rollback = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    expect((await client.call(`/v1/services/${service.service_id}/rollback`, rollback)).status).toBe(409);

    const places = [...(await dumpOf(cluster.etcd.endpoint)), ...(await filesOf(cluster.folder))];
    expect(places.filter(({ bytes }) => bytes.includes(WITNESS)).length).toBeGreaterThan(2);
    const logs = places.filter(({ name }) => /\/(coordinator|agent)-1\.log$/.test(name));
    expect(logs.map(({ bytes }) => bytes.length > 1_000)).toEqual([true, true]);
    for (const hidden of [CANARY, secret, cluster.firstKey.key].flatMap(spellings)) {
      expect([hidden, places.filter(({ bytes }) => bytes.includes(hidden)).map(({ name }) => name)]).toEqual([
        hidden,
        [],
      ]);
    }
  },
);

async function addWebhook(cluster: Cluster, serviceId: string): Promise<string> {
  const answer = await cluster.client().call(`/v1/services/${serviceId}/webhooks`, {
    method: "POST",
    body: JSON.stringify({ name: "hook", url: "https://hooks.example.com/told" }),
    headers: { "content-type": "application/json" },
  });
  expect(answer.status).toBe(201);
  return (answer.json as { readonly secret: string }).secret.replace(/^whsec_/, "");
}
