/** Quotas against many creations at the same time, at one coordinator and at two. */
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import { startHttp } from "../server.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const LEFT = 10;
const AT_ONCE = 64;

let api: HttpFixture;
/** The same API with small quotas. */
let small: { readonly url: string; stop(): Promise<void> };

beforeAll(async () => {
  api = await startHttpFixture();
  const quotas = {
    openTasksPerTeam: LEFT + 3,
    servicesPerTeam: LEFT + 1,
    keysPerUser: LEFT + 1,
    invitationsPerTeam: LEFT,
    membersPerTeam: LEFT + 1,
    teamsPerUser: LEFT + 1,
  };
  small = await startHttp({ ...api.options, config: { ...api.options.config, quotas } });
});
afterAll(async () => {
  await small.stop();
  await api.close();
});

function post(path: string, body: object, key = api.own.key): Promise<CallResponse> {
  return call(`${small.url}${path}`, { key, body: JSON.stringify(body) });
}

/** How many of as many creations at once were accepted; all others were over the quota. */
async function accepted(create: () => Promise<CallResponse>): Promise<number> {
  const responses = await Promise.all(Array.from({ length: AT_ONCE }, create));
  const refused = responses.filter(({ status }) => status >= 300);
  for (const { status, json, headers } of refused) {
    expect([status, json.code, headers.get("retry-after")]).toEqual([429, "quota_exceeded", "1"]);
  }
  return AT_ONCE - refused.length;
}

test("of 64 tasks at once as many are taken as the team has left, and one more when one has ended", async () => {
  const { id } = await addReadyService(api.store, api.own);
  const create = () => post(`/v1/services/${id}`, { input: 1 });
  const open = await Promise.all([create(), create(), create()]);
  expect(await accepted(create)).toBe(LEFT);
  expect(await accepted(create)).toBe(0);
  const [first] = open;
  await post(`/v1/tasks/${first?.json.task_id}/cancel`, {});
  expect(await accepted(create)).toBe(1);
});

test("a user creates as many teams at once as the quota leaves", async () => {
  expect(await accepted(() => post("/v1/teams", { name: "studio" }))).toBe(LEFT);
});

test("services, keys and invitations likewise, and what failed takes no place", async () => {
  expect((await post("/v1/services", { service_name: "not a name" })).status).toBe(422);
  expect(await accepted(() => post("/v1/services", { service_name: newId(Date.now()) }))).toBe(LEFT);
  expect(await accepted(() => post("/v1/keys", { name: "one", scopes: ["keys"] }))).toBe(LEFT);
  const invite = () => post(`/v1/teams/${api.own.teamId}/invitations`, {});
  expect(await accepted(invite)).toBe(LEFT);
});

test("a team takes no more members than it may have", async () => {
  const path = `/v1/teams/${api.other.teamId}/invitations`;
  const invited = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      call(`${api.url}${path}`, { key: api.other.key, body: "{}" }).then(({ json }) => json as { code: string }),
    ),
  );
  const keys = await Promise.all(
    invited.map((_, n) => addKey(api.store, { userId: `user-${n}`, defaultTeamId: api.own.teamId })),
  );
  const codes = invited.map(({ code }, n) => [code, keys[n] ?? ""] as const);
  expect(
    await accepted(() => {
      const [code, key] = codes.pop() ?? ["", ""];
      return post("/v1/invitations/accept", { code }, key);
    }),
  ).toBe(LEFT);
});

test("two coordinators accept no more than each of them alone may, and nothing once they know of each other's", async () => {
  const log = createLog({ name: "test", level: "silent" });
  const otherKv = memoryKv(api.memory);
  const store = await openStore({ kv: otherKv, clock: systemClock, log });
  const quotas = { volumesPerTeam: LEFT };
  const config = { ...api.options.config, quotas };
  const servers = [await startHttp({ ...api.options, config }), await startHttp({ ...api.options, store, config })];
  try {
    const { sha256 } = await api.blobs.put(api.own.teamId, once(Buffer.from("file")), { bytesMax: 4 });
    let turn = 0;
    const create = () =>
      call(`${servers[turn++ % 2]?.url}/v1/volumes`, {
        key: api.own.key,
        body: JSON.stringify({ name: `volume-${turn}`, files: [{ path: "file", sha256, bytes: 4 }] }),
      });
    const taken = await accepted(create);
    expect(taken).toBeGreaterThanOrEqual(LEFT);
    expect(taken).toBeLessThanOrEqual(2 * LEFT);
    for (const { view } of [api.store, store]) {
      await expect.poll(() => view.volumes.countOf(api.own.teamId)).toBe(taken);
    }
    expect(await accepted(create)).toBe(0);
  } finally {
    for (const server of servers) await server.stop();
    await store.close();
    await otherKv.close();
  }
});

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
