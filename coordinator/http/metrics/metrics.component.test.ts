import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { moveEnded } from "../testing/move-tasks.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";
import { startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
  serviceId = (await addReadyService(api.store, api.own)).id;
});
afterAll(() => api.close());

interface Ended {
  readonly tasks: { readonly succeeded: number; readonly failed: number };
  readonly run_seconds: { readonly p50: number; readonly p95: number } | null;
}

interface ServiceMetrics {
  readonly since: string;
  readonly step_seconds: number;
  readonly total: Ended;
  readonly points: readonly (Ended & { readonly at: string; readonly sampled: { readonly queued: number } | null })[];
}

async function run(end: "succeeded" | "failed"): Promise<void> {
  const options = { key: api.own.key, body: '{"input":1}' };
  const id = (await call(`${api.url}/v1/services/${serviceId}`, options)).json.task_id;
  await claimTask(api, id);
  if (end === "succeeded") await succeedTask(api, id, "proof");
  else await failTask(api, id, { reason: "prover_error" });
}

async function metricsAt(url: string, query = ""): Promise<ServiceMetrics> {
  const { status, text } = await call(`${url}/v1/services/${serviceId}/metrics${query}`, { key: api.own.key });
  expect([status, text]).toEqual([200, text]);
  return JSON.parse(text);
}

test("tasks that ended are in the metrics of their service and of its team, at every coordinator", async () => {
  await using second = await startSecondCoordinator(api);
  for (const end of ["succeeded", "succeeded", "failed"] as const) await run(end);
  for (const url of [api.url, second.url]) {
    await expect.poll(async () => (await metricsAt(url)).total.tasks).toMatchObject({ succeeded: 2, failed: 1 });
    const { points, total, step_seconds: step } = await metricsAt(url);
    expect([step, points.length]).toEqual([60, 61]);
    expect(total.run_seconds).not.toBeNull();
  }
  const { text } = await call(`${api.url}/v1/metrics`, { key: api.own.key });
  const { services, step_seconds: step } = JSON.parse(text);
  expect(step).toBe(3600);
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  expect(services).toHaveLength(1);
  expect([services[0].service_id, sum(services[0].ended), sum(services[0].succeeded)]).toEqual([serviceId, 3, 2]);
  expect(JSON.parse((await call(`${api.url}/v1/metrics`, { key: api.other.key })).text).services).toEqual([]);
});

test("a coordinator that starts has the tasks that ended before, in the store and in the archive", async () => {
  const before = (await metricsAt(api.url)).total.tasks.succeeded;
  await moveEnded(api);
  await run("succeeded");
  await using third = await startSecondCoordinator(api);
  await expect.poll(async () => (await metricsAt(third.url)).total.tasks.succeeded).toBe(before + 1);
  const begin = (await metricsAt(third.url)).points[0]?.at ?? "";
  await expect.poll(async () => (await metricsAt(third.url)).since < begin).toBe(true);
  const { points } = await metricsAt(third.url);
  expect(points.at(-1)?.sampled?.queued).toBe(0);
});

test("another team's service has no metrics, and a time that is not retained is refused", async () => {
  const path = `${api.url}/v1/services/${serviceId}/metrics`;
  expect((await call(path, { key: api.other.key })).status).toBe(404);
  const { status, json } = await call(`${path}?from=2020-01-01T00:00:00`, { key: api.own.key });
  expect([status, json.errors[0]?.pointer]).toEqual([422, "from"]);
});
