import { afterAll, beforeAll, expect, test } from "vitest";
import { openEnv } from "../../secrets/deployment-env.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
  api.image = { kind: "resolved", image: `registry:1/prover@sha256:${"1".repeat(64)}`, tag: null };
  serviceId = (await addReadyService(api.store, api.own)).id;
});
afterAll(() => api.close());

function deploy(body: object): Promise<CallResponse> {
  const url = `${api.url}/v1/services/${serviceId}/deployments`;
  return call(url, { key: api.own.key, body: JSON.stringify({ image: "registry:1/prover", ...body }) });
}

async function envOf({ json }: CallResponse) {
  const deployment = await api.store.get("deployments", json.deployment_id);
  if (deployment === null) throw new Error("there is no such deployment");
  return openEnv(api.secrets, deployment.value);
}

test("changes the environment of an earlier deployment without being sent its values, and shows names only", async () => {
  const first = await deploy({ env: { TOKEN: "s3cret", LEVEL: "info", OLD: "1" } });
  const env = { LEVEL: "debug", OLD: null, NEW: "2" };
  const second = await deploy({ env, env_deployment_id: first.json.deployment_id });
  expect(await envOf(second)).toEqual({ TOKEN: "s3cret", LEVEL: "debug", NEW: "2" });
  expect(JSON.parse(second.text)).toMatchObject({ has_env: true, env_names: ["LEVEL", "NEW", "TOKEN"] });
  const list = await call(`${api.url}/v1/services/${serviceId}/deployments`, { key: api.own.key });
  for (const { text } of [first, second, list]) expect(text).not.toMatch(/s3cret|debug/);
});

test("without an earlier deployment takes the environment that is sent as all of it", async () => {
  expect(await envOf(await deploy({ env: { A: "1" } }))).toEqual({ A: "1" });
  const none = await deploy({});
  expect([await envOf(none), JSON.parse(none.text).env_names]).toEqual([{}, []]);
});

test("refuses changes that make an environment too large, or that a builtin prover would never see", async () => {
  const large = await deploy({ env: { A: "a".repeat(3_000) } });
  const from = { env_deployment_id: large.json.deployment_id };
  const pointerOf = async (body: object) => {
    const { status, json } = await deploy(body);
    return [status, json.errors[0]?.pointer];
  };
  expect(await pointerOf({ ...from, env: { B: "b".repeat(3_000) } })).toEqual([422, "#/env"]);
  const external = api.image;
  api.image = { kind: "resolved", image: "builtin:noop", tag: null };
  expect(await pointerOf({ ...from, image: "builtin:noop" })).toEqual([422, "#/env"]);
  expect((await deploy({ ...from, image: "builtin:noop", env: { A: null } })).status).toBe(201);
  api.image = external;
});
