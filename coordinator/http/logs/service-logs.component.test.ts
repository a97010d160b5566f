import { afterAll, beforeAll, expect, test } from "vitest";
import type { LogRef } from "../../task-logs/task-logs.ts";
import { call } from "../testing/call.ts";
import { readEvents, type SeenEvent } from "../testing/event-reader.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

async function newService(): Promise<string> {
  return (await addReadyService(api.store, api.own)).id;
}

async function runningTask(serviceId: string): Promise<LogRef> {
  const options = { key: api.own.key, body: '{"input":1}' };
  const taskId = (await call(`${api.url}/v1/services/${serviceId}`, options)).json.task_id;
  await claimTask(api, taskId);
  return { teamId: api.own.teamId, taskId, attempt: 1 };
}

async function write(ref: LogRef, text: string | Uint8Array): Promise<void> {
  const { bytes } = (await api.logs.state(ref)) ?? { bytes: 0 };
  await api.logs.append(ref, bytes, Buffer.from(text as string));
}

const urlOf = (serviceId: string, query = "") => `${api.url}/v1/services/${serviceId}/logs${query}`;

/** What was written of each attempt. */
function textOf(events: readonly SeenEvent[], { taskId, attempt }: LogRef): string {
  return events
    .filter(({ data }) => data.type === "log" && data.task_id === taskId && data.attempt === attempt)
    .map(({ data }) => data.text)
    .join("");
}

test("begins with the end of the newest tasks' logs, the oldest of them first, and ends there", async () => {
  const serviceId = await newService();
  const refs = [];
  for (const text of ["oldest", "older", "newest"]) {
    const ref = await runningTask(serviceId);
    await write(ref, `${text} line\n`);
    await succeedTask(api, ref.taskId, "proof");
    await api.logs.complete(ref);
    refs.push(ref);
  }
  const events = await readEvents(urlOf(serviceId, "?tasks=2&tail_bytes=6"), { key: api.own.key });
  expect(events.map(({ data }) => data)).toEqual([
    { type: "begin", service_id: serviceId },
    { type: "log", task_id: refs[1]?.taskId, attempt: 1, offset: 5, bytes: 6, text: " line\n" },
    { type: "log", task_id: refs[2]?.taskId, attempt: 1, offset: 6, bytes: 6, text: " line\n" },
  ]);
});

test("followed, continues with what is written, for tasks and attempts that start later too", async () => {
  const serviceId = await newService();
  const first = await runningTask(serviceId);
  await write(first, "before ");
  const seen: SeenEvent[] = [];
  const cut = new AbortController();
  const onEvent = (event: SeenEvent) => seen.push(event);
  const following = readEvents(urlOf(serviceId, "?follow=1"), { key: api.own.key, onEvent, signal: cut.signal });
  const shows = async (ref: LogRef, text: string) => await expect.poll(() => textOf(seen, ref)).toBe(text);
  await shows(first, "before ");
  const euro = Buffer.from("€");
  await write(first, euro.subarray(0, 1));
  await write(first, euro.subarray(1));
  await shows(first, "before €");
  const second = await runningTask(serviceId);
  await write(second, "second");
  await shows(second, "second");
  await failTask(api, first.taskId, { reason: "node_lost" });
  await claimTask(api, first.taskId);
  const retried = { ...first, attempt: 2 };
  await write(retried, "again");
  await shows(retried, "again");
  const other = await runningTask(await newService());
  await write(other, "of another service");
  await write(second, " end");
  await shows(second, "second end");
  expect(textOf(seen, other)).toBe("");
  cut.abort();
  await following;
});

test("says how many tasks it leaves out where more run at a time than it follows", async () => {
  const serviceId = await newService();
  const seen: SeenEvent[] = [];
  const cut = new AbortController();
  const onEvent = (event: SeenEvent) => seen.push(event);
  const following = readEvents(urlOf(serviceId, "?follow=1"), { key: api.own.key, onEvent, signal: cut.signal });
  await expect.poll(() => seen.length).toBe(1);
  for (let n = 0; n < 53; n++) await runningTask(serviceId);
  const skipped = () => seen.reduce((sum, { data }) => sum + (data.type === "skipped" ? Number(data.tasks) : 0), 0);
  await expect.poll(skipped).toBe(3);
  cut.abort();
  await following;
});

test("another team's service has no log", async () => {
  expect((await call(urlOf(await newService()), { key: api.other.key })).status).toBe(404);
});
