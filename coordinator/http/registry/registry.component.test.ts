/** What the token service returns; what the registry makes of its tokens is a system test. */
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePullGrant } from "../../registry/pull-grant.ts";
import { create, remove } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;
beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function basic(password: string, user = "any"): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

function requestToken(query: string, headers: Readonly<Record<string, string>>): Promise<CallResponse> {
  return call(`${api.url}/v1/registry/token${query}`, { headers });
}

/** What the token in a response allows. */
function accessIn({ text }: CallResponse): readonly { readonly name: string; readonly actions: readonly string[] }[] {
  const { token } = JSON.parse(text) as { readonly token: string };
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")).access;
}

async function accessFor(headers: Readonly<Record<string, string>>, ...names: readonly string[]) {
  const query = names.map((name) => `scope=repository:${encodeURIComponent(name)}:pull,push`).join("&");
  const response = await requestToken(`?service=elastic-registry&${query}`, headers);
  expect(response.status).toBe(200);
  return accessIn(response).map(({ name, actions }) => `${name}:${actions.join(",")}`);
}

describe("a token", () => {
  test("is issued for a key as the password of any user, or in x-api-key, and has its lifetime", async () => {
    const name = `${api.own.teamId}/prover`;
    for (const headers of [basic(api.own.key), basic(api.own.key, ""), { "x-api-key": api.own.key }]) {
      expect(await accessFor(headers, name)).toEqual([`${name}:pull,push`]);
    }
    const { json, text } = await requestToken("", basic(api.own.key));
    const issued = JSON.parse(text);
    expect(issued).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      access_token: issued.token,
      expires_in: 240,
      issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(json).toBeDefined();
  });

  test("is refused where the password and x-api-key are different keys, and issued where they are the same", async () => {
    const both = (key: string) => ({ ...basic(api.own.key), "x-api-key": key });
    const refused = await requestToken("", both(api.other.key));
    expect([refused.status, refused.json.code, refused.headers.has("www-authenticate")]).toEqual([
      401,
      "key_invalid",
      true,
    ]);
    expect((await requestToken("", both(api.own.key))).status).toBe(200);
  });

  test("leaves out what is another team's, and is given all the same", async () => {
    const own = `${api.own.teamId}/prover`;
    const requested = [`${api.other.teamId}/prover`, own, "library/debian", newId(1)];
    const { userId, teamId: defaultTeamId } = api.own;
    const key = await addKey(api.store, { userId, defaultTeamId, scopes: ["services"] });
    expect(await accessFor(basic(key), ...requested)).toEqual([`${own}:pull,push`, "library/debian:pull"]);
    expect(accessIn(await requestToken("?scope=registry:catalog:*", basic(api.own.key)))).toEqual([]);
  });

  test("is not given for a key that is none, was revoked or has expired", async () => {
    const { userId, teamId } = api.own;
    const gone = { userId, defaultTeamId: teamId };
    const keys = [
      await addKey(api.store, { ...gone, revokedAt: 1 }),
      await addKey(api.store, { ...gone, expiresAt: 1 }),
      "eps_wrong",
      "epg_wrong",
      "",
    ];
    const refused = await Promise.all([...keys.map((key) => requestToken("", basic(key))), requestToken("", {})]);
    for (const { status, headers } of refused) {
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    }
    for (const authorization of ["Basic", "Basic !", "Basic YQ==", "Bearer x", `basic ${"A".repeat(9000)}`]) {
      expect([authorization, (await requestToken("", { authorization })).status]).toEqual([authorization, 401]);
    }
  });

  test("is made for this registry alone, and not for questions without end", async () => {
    expect(await requestToken("?service=elsewhere", basic(api.own.key))).toMatchObject({ status: 422 });
    const scopes = Array.from({ length: 33 }, () => "scope=repository:a:pull").join("&");
    expect(await requestToken(`?${scopes}`, basic(api.own.key))).toMatchObject({ status: 422 });
    expect(await requestToken(`?scope=${"a".repeat(1025)}`, basic(api.own.key))).toMatchObject({ status: 422 });
  });
});

describe("a node's grant", () => {
  test("pulls the images of its assignment and no other, while the assignment stands", async () => {
    const image = (name: string) => `127.0.0.1:1/${api.own.teamId}/${name}@sha256:${"0".repeat(64)}`;
    const service = await addReadyService(api.store, api.own);
    const deployment = await api.store.get("deployments", service.currentDeploymentId ?? "");
    if (deployment === null) throw new Error("no deployment");
    const deployed = { ...deployment.value, id: newId(1), image: image("prover"), verifierImage: image("verifier") };
    const assignment = {
      id: newId(2),
      nodeId: "node-a",
      teamId: api.own.teamId,
      slots: 1,
      gpuUuids: [],
      createdAt: 0,
      workload: { kind: "deployment", deploymentId: deployed.id, serviceId: service.id } as const,
    };
    await api.store.commit([create("deployments", deployed), create("assignments", assignment)]);
    const grant = basic(makePullGrant(api.secrets, assignment.id, Date.now()), "node");
    const names = ["prover", "verifier", "other"].map((name) => `${api.own.teamId}/${name}`);
    expect(await accessFor(grant, ...names)).toEqual([`${names[0]}:pull`, `${names[1]}:pull`]);

    const standing = await api.store.get("assignments", assignment.id);
    await api.store.commit(standing === null ? [] : [remove("assignments", standing)]);
    expect((await requestToken("", grant)).status).toBe(401);
  });
});

test("images cannot be listed while the registry is away, or where the service has none", async () => {
  const images = (url: string) => call(`${url}/v1/registry/images`, { key: api.own.key });
  expect((await images(api.url)).json).toMatchObject({ status: 503, code: "registry_unavailable" });
  await using without = await startSecondCoordinator(api, { registry: null });
  expect((await images(without.url)).json).toMatchObject({ status: 404, code: "no_registry" });
});

test("builtin provers are listed as deployments name them", async () => {
  const { status, text } = await call(`${api.url}/v1/builtin-provers`, { key: api.own.key });
  expect([status, JSON.parse(text)]).toEqual([
    200,
    { items: [{ image: "builtin:noop" }, { image: "builtin:poseidon" }] },
  ]);
});

test("whoever may see services sees where images go", async () => {
  const { userId, teamId } = api.own;
  const reader = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["tasks:read"] });
  const response = await call(`${api.url}/v1/registry`, { key: reader });
  expect(response).toMatchObject({ status: 200, json: { host: "127.0.0.1:1", repository_prefix: `${teamId}/` } });
  const none = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["keys"] });
  expect((await call(`${api.url}/v1/registry`, { key: none })).status).toBe(403);
  const elsewhere = { key: api.own.key, headers: { "x-team": api.other.teamId } };
  expect((await call(`${api.url}/v1/registry`, elsewhere)).status).toBe(404);
});
