/** Another team's id answers exactly as one that does not exist: generated over every route that names an id. */
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, call } from "./testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { claimTask, succeedTask } from "./testing/run-task.ts";

let api: HttpFixture;
let ids: Readonly<Record<"own" | "other", { service: string; deployment: string; task: string }>>;
let routes: readonly { readonly method: string; readonly path: string }[];

beforeAll(async () => {
  api = await startHttpFixture();
  ids = { own: await thingsOf("own"), other: await thingsOf("other") };
  const document = JSON.parse((await call(`${api.url}/v1/openapi.json`)).text);
  routes = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
});
afterAll(() => api.close());

async function thingsOf(who: "own" | "other") {
  const tenant = api[who];
  const service = await addReadyService(api.store, tenant);
  const posted = await call(`${api.url}/v1/services/${service.id}`, { key: tenant.key, body: '{"input":1}' });
  await claimTask(api, posted.json.task_id);
  await succeedTask(api, posted.json.task_id, "secret");
  return { service: service.id, deployment: service.currentDeploymentId ?? "", task: posted.json.task_id };
}

function ask(method: string, path: string, key: string): Promise<Answer> {
  const body = path.endsWith("/deployments") ? '{"image":"builtin:noop"}' : '{"input":1}';
  return call(`${api.url}${path}`, { key, method, ...(method === "POST" ? { body } : {}) });
}

/** What two answers to different requests may not differ in. */
function comparable({ status, headers, json }: Answer): object {
  const { request_id: _, instance: __, ...body } = json ?? {};
  const kept = [...headers].filter(([name]) => !["date", "x-request-id", "content-length", "ratelimit"].includes(name));
  return { status, headers: kept, body };
}

test("every route that names an id is looked at", () => {
  const named = routes.filter(({ path }) => path.includes("{"));
  expect(named.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "DELETE /v1/services/{id}",
    "GET /v1/services/{id}",
    "GET /v1/services/{id}/deployments",
    "GET /v1/services/{id}/deployments/{deploymentId}",
    "GET /v1/services/{id}/tasks",
    "GET /v1/tasks/{id}",
    "GET /v1/tasks/{id}/events",
    "GET /v1/tasks/{id}/result",
    "POST /v1/services/{id}",
    "POST /v1/services/{id}/deployments",
    "POST /v1/tasks/{id}/cancel",
  ]);
});

test("another team's id, an unknown, a malformed and an overlong one are refused alike", async () => {
  for (const { method, path } of routes) {
    if (!path.includes("{")) continue;
    const thing = path.includes("/tasks/") ? "task" : "service";
    const of = (id: string) =>
      ask(method, path.replace("{id}", id).replace("{deploymentId}", ids.other.deployment), api.own.key);
    const unknown = await of(newId(Date.now()));
    expect([method, path, unknown.status]).toEqual([method, path, 404]);
    const own = ids.own[thing];
    const malformed = [
      "x",
      own.slice(1),
      `${own}0`,
      own.toUpperCase().replaceAll(/\d/g, "A"),
      "a".repeat(5000),
      "%00",
      "..%2f",
    ];
    for (const id of [ids.other[thing], ...malformed]) {
      expect([method, path, id, comparable(await of(id))]).toEqual([method, path, id, comparable(unknown)]);
    }
  }
});

test("one's own are found, so that the refusals above mean something", async () => {
  const { service, deployment, task } = ids.own;
  for (const path of [
    `/v1/services/${service}`,
    `/v1/services/${service}/deployments`,
    `/v1/services/${service}/deployments/${deployment}`,
    `/v1/tasks/${task}`,
    `/v1/tasks/${task}/result`,
  ]) {
    expect([path, (await ask("GET", path, api.own.key)).status]).toEqual([path, 200]);
  }
});

test("a deployment of one's own is not found under another service of one's own", async () => {
  const second = await addReadyService(api.store, api.own);
  const path = `/v1/services/${second.id}/deployments/${ids.own.deployment}`;
  expect((await ask("GET", path, api.own.key)).status).toBe(404);
});

test("without a key every route refuses but those that need none", async () => {
  const open = new Set(["/healthz", "/readyz"]);
  for (const { method, path } of routes) {
    const body = method === "POST" ? { body: "{}" } : {};
    const answer = await call(`${api.url}${path.replace(/\{\w+\}/g, ids.own.task)}`, { method, ...body });
    expect([path, answer.status]).toEqual([path, open.has(path) ? 200 : 401]);
  }
});

describe("lists and creates", () => {
  test("show and make nothing in another team", async () => {
    for (const path of ["/v1/tasks", "/v1/services", "/v1/teams"]) {
      const { text } = await ask("GET", path, api.own.key);
      for (const id of [ids.other.service, ids.other.task, api.other.teamId]) expect(text).not.toContain(id);
    }
    for (const team of [api.other.teamId, newId(Date.now()), "x", ""]) {
      const options = { key: api.own.key, headers: { "x-team": team } };
      const listed = await call(`${api.url}/v1/tasks`, options);
      const made = await call(`${api.url}/v1/services`, { ...options, body: '{"service_name":"x"}' });
      expect([team, listed.status, made.status]).toEqual([team, 404, 404]);
    }
  });

  test("of a user in two teams act in the team that is asked for", async () => {
    const { userId } = api.own;
    await api.store.commit([
      {
        kind: "write",
        record: "memberships",
        id: `${userId}/${api.other.teamId}`,
        from: 0,
        value: { userId, teamId: api.other.teamId, role: "member", createdAt: Date.now() },
      },
    ]);
    const both = await addKey(api.store, { userId, defaultTeamId: api.own.teamId });
    const bound = await addKey(api.store, { userId, defaultTeamId: api.own.teamId, teamId: api.own.teamId });
    const teams = (key: string) => call(`${api.url}/v1/teams`, { key }).then(({ json }) => json.items);
    expect((await teams(both)).map((team: { name: string }) => team.name).sort()).toEqual(["team other", "team own"]);
    expect((await teams(bound)).map((team: { default: boolean }) => team.default)).toEqual([true]);
    const made = await call(`${api.url}/v1/services`, {
      key: both,
      body: '{"service_name":"elsewhere"}',
      headers: { "x-team": api.other.teamId },
    });
    expect(made.json.team_name).toBe("team other");
    expect((await call(made.json.service_url, { key: both })).status).toBe(200);
    expect((await call(made.json.service_url, { key: bound })).status).toBe(404);
  });
});
