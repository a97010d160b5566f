import { expect, test } from "vitest";
import { callFailed, released } from "../../domain/pool-machine.ts";
import { aGpu, aNode, aPoolMachine } from "../../domain/testing/records.ts";
import { create, replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { addKey, startHttpFixture } from "../testing/http-fixture.ts";

const OFFER = {
  gpu_type: "NVIDIA H100 80GB HBM3",
  gpu_count: 2,
  gpu_memory_bytes: 2 ** 36,
  cpu_cores: 16,
  memory_bytes: 2 ** 37,
};
const POOL = {
  max: 4,
  cost_per_hour: 2,
  budget_per_day: 100,
  offer: OFFER,
  driver: { kind: "command", name: "cloud" },
};

async function fixture() {
  const api = await startHttpFixture();
  const request = async (method: string, path: string, body?: object, key = api.own.key) => {
    const { status, text } = await call(`${api.url}/v1${path}`, {
      key,
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, json: text === "" ? null : JSON.parse(text) };
  };
  return { api, request };
}

test("an operator creates a pool, changes it, sees its machines and why it does not grow, and deletes it once it has none", async () => {
  const { api, request } = await fixture();
  const made = await request("PUT", "/pools/h100", POOL);
  expect(made).toMatchObject({
    status: 200,
    json: {
      pool: "h100",
      min: 0,
      max: 4,
      cooldown_seconds: 300,
      offer: { slots: 2 },
      secret: null,
      wanted: 0,
      why: "nothing waits for it",
    },
  });
  expect((await request("PUT", "/pools/h100", { ...POOL, min: 2 })).json).toMatchObject({
    machines: 0,
    wanted: 2,
    why: "2 more for its minimum",
  });
  expect((await request("PUT", "/pools/h100", { ...POOL, max: 1 })).json).toMatchObject({
    max: 1,
    created: made.json.created,
  });
  const machine = aPoolMachine({ id: "h100", costPerHour: 2 }, { requestedAt: Date.now() - 3_600_000, machine: "i-1" });
  await api.store.commit([create("pool-machines", machine)]);
  const { json: details } = await request("GET", "/pools/h100");
  expect(details).toMatchObject({ machines: 1, coming: 1, spent_per_hour: 2, spent_in_day: 2 });
  expect(details.items).toMatchObject([
    { request_id: machine.id, state: "REQUESTED", machine: "i-1", requested_by_pool: true },
  ]);
  expect((await request("DELETE", "/pools/h100")).json).toMatchObject({
    code: "pool_in_use",
    detail: expect.stringContaining("Nothing was changed"),
  });
  const read = await api.store.get("pool-machines", machine.id);
  if (read !== null) await api.store.commit([replace("pool-machines", read, released(machine, Date.now()))]);
  expect((await request("GET", "/pools")).json.items).toMatchObject([{ pool: "h100", machines: 0 }]);
  expect((await request("DELETE", "/pools/h100")).status).toBe(204);
  expect((await request("GET", "/pools/h100")).status).toBe(404);
  await api.close();
});

test("refuses a command that the coordinators do not have, unless the pool has it already", async () => {
  const { api, request } = await fixture();
  const unknown = { ...POOL, driver: { kind: "command", name: "clod" } };
  expect((await request("PUT", "/pools/h100", unknown)).json).toMatchObject({
    code: "invalid_request",
    detail: expect.stringMatching(/no command clod, and there are cloud: .* Nothing was changed\.$/),
    errors: [{ pointer: "#/driver/name" }],
  });
  expect((await request("GET", "/pools/h100")).status).toBe(404);
  await request("PUT", "/pools/h100", POOL);
  const pool = await api.store.get("pools", "h100");
  if (pool === null) throw new Error("there is no pool");
  await api.store.commit([replace("pools", pool, { ...pool.value, driver: { kind: "command", name: "clod" } })]);
  expect((await request("PUT", "/pools/h100", { ...unknown, max: 0 })).status).toBe(200);
  await api.close();
});

test("shows in the list that the driver's calls fail", async () => {
  const { api, request } = await fixture();
  await request("PUT", "/pools/h100", POOL);
  const machine = callFailed(aPoolMachine({ id: "h100", costPerHour: 2 }), "it exited with 1: no quota", Date.now());
  await api.store.commit([create("pool-machines", machine)]);
  const { items } = (await request("GET", "/pools")).json;
  expect(items).toMatchObject([{ why: "nothing waits for it; its driver fails: it exited with 1: no quota" }]);
  await api.close();
});

test("shows the secret of a webhook when it is new, and never again", async () => {
  const { api, request } = await fixture();
  const hook = { ...POOL, driver: { kind: "webhook", url: "https://driver.example/pools" } };
  const { secret } = (await request("PUT", "/pools/h100", hook)).json;
  expect(secret).toMatch(/^whsec_/);
  expect((await request("PUT", "/pools/h100", { ...hook, max: 2 })).json.secret).toBeNull();
  const changed = (await request("PUT", "/pools/h100", { ...hook, driver: { ...hook.driver, new_secret: true } })).json
    .secret;
  expect([typeof changed, changed === secret]).toEqual(["string", false]);
  expect(JSON.stringify((await request("GET", "/pools/h100")).json)).not.toContain("whsec_");
  const refused = await request("PUT", "/pools/other", {
    ...POOL,
    driver: { kind: "webhook", url: "http://192.168.1.1/" },
  });
  expect(refused.json).toMatchObject({ code: "url_refused", errors: [{ pointer: "#/driver/url" }] });
  await api.close();
});

test("refuses bounds that contradict each other, and names that are none", async () => {
  const { api, request } = await fixture();
  for (const [change, why] of [
    [{ min: 5 }, /min is 5, which is more than max, 4/],
    [{ min: 1, budget_per_hour: 1 }, /min machines cost 2 an hour/],
    [{ min: 3 }, /min machines cost 144 a day/],
    [{ offer: { ...OFFER, gpu_count: 0 } }, /gpu_type and gpu_count go together/],
    [{ cooldown_seconds: 1 }, /cooldown_seconds/],
  ] as const) {
    const { status, json } = await request("PUT", "/pools/h100", { ...POOL, ...change });
    expect([status, json.detail]).toEqual([422, expect.stringMatching(why)]);
  }
  expect((await request("PUT", "/pools/Not%20one", POOL)).json.code).toBe("invalid_request");
  await api.close();
});

test("makes tokens of a pool, shown once with the line to run, and resumes a pool that has stopped", async () => {
  const { api, request } = await fixture();
  await request("PUT", "/pools/h100", POOL);
  const { status, json } = await request("POST", "/pools/h100/tokens", { uses_max: 7 });
  expect(status).toBe(201);
  expect(json).toMatchObject({
    pool: "h100",
    uses_max: 7,
    uses: 0,
    command: expect.stringMatching(new RegExp(`^echo ${json.token} \\| elastic-agent enroll .* --token-file - `)),
  });
  const { items } = (await request("GET", "/pools/h100/tokens")).json;
  expect([items.length, JSON.stringify(items).includes(json.token)]).toEqual([1, false]);
  expect((await request("DELETE", `/pool-tokens/${json.pool_token_id}`)).status).toBe(204);
  expect((await request("GET", "/pools/h100/tokens")).json.items).toEqual([]);
  const pool = await api.store.get("pools", "h100");
  if (pool === null) throw new Error("no pool");
  await api.store.commit([replace("pools", pool, { ...pool.value, stopped: { at: 1, reason: "no machine came up" } })]);
  expect((await request("GET", "/pools/h100")).json).toMatchObject({ stopped_reason: "no machine came up" });
  expect((await request("POST", "/pools/h100/resume")).json).toMatchObject({ stopped: null });
  const { userId, teamId } = api.own;
  const user = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services"] });
  expect((await request("GET", "/pools", undefined, user)).json.code).toBe("scope_missing");
  await api.close();
});

test("drains a node with a spot notice, and stops its shells", async () => {
  const { api, request } = await fixture();
  await api.store.commit([create("nodes", aNode("gpu-1", { gpus: [aGpu("g1")] }))]);
  expect((await request("POST", "/nodes/gpu-1/drain?spot=true")).json).toMatchObject({
    state: "DRAINED",
    drain: { stop_shells: true, spot: true },
  });
  await api.close();
});
