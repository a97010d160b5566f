/** A key that was revoked at one coordinator is dead at every other within a second, under load and behind a cut. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { VIEW_AGE_MAX_MS } from "../auth/authenticate.ts";
import { call } from "./testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { claimTask, succeedTask } from "./testing/run-task.ts";
import { type SecondCoordinator, startSecondCoordinator } from "./testing/second-coordinator.ts";

const CALLERS = 8;

let api: HttpFixture;
let second: SecondCoordinator;
let key: string;

beforeEach(async () => {
  api = await startHttpFixture();
  second = await startSecondCoordinator(api);
  key = await addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId });
  await expect.poll(async () => (await call(`${second.url}/v1/me`, { key })).status).toBe(200);
});
afterEach(async () => {
  await second[Symbol.asyncDispose]();
  await api.close();
});

interface Load {
  /** Of each request: when it began and its status. */
  readonly seen: { readonly beganAtMs: number; readonly status: number }[];
  /** Calls on until the status is seen. */
  until(status: number): Promise<void>;
  stop(): Promise<void>;
}

function startLoad(url: string): Load {
  const seen: Load["seen"] = [];
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      const beganAtMs = performance.now();
      const { status } = await call(`${url}/v1/me`, { key });
      seen.push({ beganAtMs, status });
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  return {
    seen,
    until: (status) =>
      expect.poll(() => seen.some((one) => one.status === status), { timeout: 10_000, interval: 5 }).toBe(true),
    stop: async () => {
      stopped = true;
      await callers;
    },
  };
}

async function revoke(): Promise<number> {
  const [, keyId] = key.split("_");
  const response = await call(`${api.url}/v1/keys/${keyId}`, { key: api.own.key, method: "DELETE" });
  expect(response.status).toBe(204);
  return performance.now();
}

/** How long after `atMs` the last request began that the key still opened something for. */
function openedFor({ seen }: Load, atMs: number): number {
  return Math.max(0, ...seen.filter(({ status }) => status === 200).map(({ beganAtMs }) => beganAtMs - atMs));
}

test("under load at both", async () => {
  const loads = [startLoad(api.url), startLoad(second.url)];
  for (const load of loads) await load.until(200);
  const atMs = await revoke();
  for (const load of loads) await load.until(401);
  for (const load of loads) await load.stop();
  const [atFirst = Number.NaN, atSecond = Number.NaN] = loads.map((load) => openedFor(load, atMs));
  expect(atFirst).toBe(0);
  expect(atSecond).toBeLessThan(VIEW_AGE_MAX_MS);
});

test("at one that is cut off from the store, which responds with 503 until it knows", async () => {
  const load = startLoad(second.url);
  await load.until(200);
  second.kv.faults.away = true;
  const atMs = await revoke();
  await load.until(503);
  second.kv.faults.away = false;
  await load.until(401);
  await load.stop();
  expect(openedFor(load, atMs)).toBeLessThan(VIEW_AGE_MAX_MS);
});

test("a wait for a task that began before returns nothing of it afterwards", async () => {
  const service = await addReadyService(api.store, api.own);
  const task = (await call(`${api.url}/v1/services/${service.id}`, { key, body: '{"input":1}' })).json.task_id;
  const waiting = [api.url, second.url].map((url) => call(`${url}/v1/tasks/${task}?wait=60`, { key }));
  const waits = () => api.metrics.registry.getSingleMetricAsString("elastic_http_waits");
  await expect.poll(waits).toMatch(/ [12]$/);
  await revoke();
  await claimTask(api, task);
  await succeedTask(api, task, "proof");
  for (const { status, text } of await Promise.all(waiting)) {
    expect([status, text.includes("proof")]).toEqual([401, false]);
  }
});

test("a request that comes while the view is briefly stale waits, and gets its response", async () => {
  second.kv.faults.away = true;
  await expect.poll(() => second.store.view.ageMs(), { timeout: 5_000, interval: 5 }).toBeGreaterThan(VIEW_AGE_MAX_MS);
  const waiting = call(`${second.url}/v1/me`, { key });
  // Back before anybody gives up hope.
  second.kv.faults.away = false;
  expect((await waiting).status).toBe(200);
});
