import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient, TaskRecord } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { type ShiftedClocks, shiftedClocks } from "../cluster/shifted-clocks.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const DAY_MS = 86_400_000;
/** Heartbeats come every three seconds. */
const POLL = { timeout: 30_000, interval: 100 };

const folder = makeWorkFolder();
let clocks: ShiftedClocks;
let cluster: Cluster;
let one: Coordinator;
let two: Coordinator;
let serviceId: string;

beforeAll(async () => {
  clocks = shiftedClocks(folder.path);
  cluster = await startCluster({ coordinators: 2, agents: 2, coordinatorSettings: clocks.aheadBy(0) });
  const [first, second] = cluster.coordinators;
  if (first === undefined || second === undefined) throw new Error("two coordinators were started");
  [one, two] = [first, second];
  const scaling = { min: 1, max: 1 };
  serviceId = (await cluster.client(one).readyService("sleep", { image: "builtin:sleep", scaling })).service_id;
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function gauge(of: Coordinator, name: string): Promise<number> {
  const text = await (await fetch(of.metricsUrl)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

const leads = (of: Coordinator) => gauge(of, "elastic_scheduler_leader");
const isTrusted = (of: Coordinator) => gauge(of, "elastic_clock_trusted");
const known = (of: Coordinator) => gauge(of, "elastic_clocks_known");

const client = (of: Coordinator): ApiClient => cluster.client(of);

/** Until it is accepted: a coordinator that has just started on a busy machine may be behind its store. */
async function post(to: Coordinator, idempotencyKey: string): Promise<TaskRecord> {
  const accepted = async () => {
    const { status, json, text } = await client(to).call(`/v1/services/${serviceId}`, {
      method: "POST",
      body: '{"input":{"ms":1}}',
      headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    });
    if (status !== 201) throw new Error(text);
    return json as TaskRecord;
  };
  return await until(`a task of the key ${idempotencyKey}`, accepted, { timeoutMs: 30_000 });
}

/** One runs and the others wait, while the test shifts clocks. */
async function postSleepers(): Promise<readonly string[]> {
  const posted = ["1500", "1500", "100"].map((ms) => client(one).postTask(serviceId, `{"ms":${ms}}`));
  return (await Promise.all(posted)).map(({ task_id }) => task_id);
}

async function expectEnds(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { state, failure, created, started, finished } = await client(one).ended(id);
    expect({ state, failure }).toEqual({ state: "SUCCESS", failure: null });
    const times = [created, started, finished].map((time) => Date.parse(`${time}Z`));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.abs(Date.now() - (times[2] ?? 0))).toBeLessThan(60_000);
  }
}

test("a coordinator that starts two days ahead knows the keys of moments ago, stamps the others' time and does not lead", async () => {
  const sleepers = await postSleepers();
  const { task_id: before } = await post(one, "first");
  await two.stop();
  await two.startWith(clocks.aheadBy(2 * DAY_MS));
  const { task_id: after } = await post(two, "first");
  expect(after).toBe(before);
  const { created } = await post(two, "second");
  expect(Math.abs(Date.now() - Date.parse(`${created}Z`))).toBeLessThan(60_000);
  await expect.poll(() => isTrusted(two), POLL).toBe(0);
  expect(await gauge(two, "elastic_clock_offset_seconds")).toBeCloseTo((2 * DAY_MS) / 1000, -1);
  const { status, json } = await client(two).call("/readyz");
  expect(status).toBe(200);
  expect(json).toEqual({
    status: "ready",
    clock: expect.stringMatching(/^the clock of this machine is 1728\d\d\.\d s ahead/),
  });
  expect([await leads(one), await leads(two), await isTrusted(one)]).toEqual([1, 0, 1]);
  await expectEnds(sleepers);
});

test("a leader whose clock steps by a day resigns to one whose clock is right, or stays alone, and ends no task early", async () => {
  await two.stop();
  await two.start();
  await expect.poll(() => known(two), POLL).toBe(4);
  expect(await leads(one)).toBe(1);
  const sleepers = await postSleepers();
  const { task_id: before } = await post(one, "third");
  clocks.shift(one, DAY_MS);
  await expect.poll(() => leads(two), POLL).toBe(1);
  expect([await leads(one), await isTrusted(one)]).toEqual([0, 0]);
  expect((await post(one, "third")).task_id).toBe(before);
  await expectEnds(sleepers);

  const others = await postSleepers();
  await two.stop();
  await expect.poll(() => leads(one), POLL).toBe(1);
  clocks.shift(one, -DAY_MS);
  await expect.poll(() => gauge(one, "elastic_clock_offset_seconds"), POLL).toBeLessThan(-80_000);
  expect([await leads(one), await isTrusted(one)]).toEqual([1, 0]);
  expect((await post(one, "third")).task_id).toBe(before);
  await expectEnds(others);
});
