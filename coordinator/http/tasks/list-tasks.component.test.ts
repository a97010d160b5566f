import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../domain/service.ts";
import { queue, type Task } from "../../domain/task.ts";
import { aTask } from "../../domain/testing/records.ts";
import { create, inputBytes } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";

let api: HttpFixture;
let service: Service;
/** One for each phase, a second apart, the oldest first. */
let ids: Readonly<Record<Task["phase"]["kind"], string>>;

const FIRST = Date.parse("2026-11-20T10:00:00Z");

beforeAll(async () => {
  api = await startHttpFixture();
  service = await addReadyService(api.store, api.own);
  const [queued, running, succeeded, failed, cancelled, timed_out, expired] = await Promise.all(
    Array.from({ length: 7 }, (_, n) => addTask(FIRST + n * 1000)),
  );
  if (!queued || !running || !succeeded || !failed || !cancelled || !timed_out || !expired) throw new Error("seven");
  ids = { queued, running, succeeded, failed, cancelled, timed_out, expired };
  await claimTask(api, running);
  await claimTask(api, succeeded);
  await succeedTask(api, succeeded, "r");
  const reasons = { failed: "bad_output", timed_out: "run_timeout", cancelled: "cancelled" } as const;
  for (const phase of ["failed", "timed_out", "cancelled"] as const) {
    await claimTask(api, ids[phase]);
    await failTask(api, ids[phase], { reason: reasons[phase] });
  }
  await claimTask(api, expired);
  await failTask(api, expired, { reason: "queue_timeout" });
  await claimTask(api, expired);
  await failTask(api, expired, { reason: "queue_timeout" });
  await claimTask(api, expired);
  await failTask(api, expired, { reason: "queue_timeout" });
});
afterAll(() => api.close());

async function addTask(createdAt: number): Promise<string> {
  const id = newId(createdAt);
  const { teamId, userId: creatorId } = api.own;
  const task = queue({ ...aTask(service, { id, createdAt }), teamId, creatorId });
  await api.store.commit([create("tasks", task), inputBytes(id, Buffer.from("{}"))]);
  return id;
}

function list(query: string): Promise<CallResponse> {
  return call(`${api.url}/v1/services/${service.id}/tasks?${query}`, { key: api.own.key });
}

async function listed(query: string): Promise<string[]> {
  const { json } = await list(query);
  expect(json.total).toBe(json.items.length);
  const name = new Map(Object.entries(ids).map(([phase, id]) => [id, phase]));
  return json.items.map(({ task_id }) => name.get(task_id) ?? task_id);
}

const NEWEST_FIRST = ["expired", "timed_out", "cancelled", "failed", "succeeded", "running", "queued"];

test("by phase, by state, and by both", async () => {
  expect(await listed("")).toEqual(NEWEST_FIRST);
  for (const phase of NEWEST_FIRST) expect(await listed(`phase=${phase}`)).toEqual([phase]);
  expect(await listed("state=PENDING")).toEqual(["running", "queued"]);
  expect(await listed("state=SUCCESS")).toEqual(["succeeded"]);
  expect(await listed("state=FAILURE")).toEqual(["expired", "timed_out", "cancelled", "failed"]);
  expect(await listed("state=FAILURE&phase=cancelled")).toEqual(["cancelled"]);
  expect(await listed("state=SUCCESS&phase=cancelled")).toEqual([]);
});

test("by reason, with the phase and state that go with it or none", async () => {
  expect(await listed("reason=bad_output")).toEqual(["failed"]);
  expect(await listed("reason=queue_timeout&phase=expired&state=FAILURE")).toEqual(["expired"]);
  expect(await listed("reason=cancelled")).toEqual(["cancelled"]);
  expect(await listed("reason=prover_error")).toEqual([]);
  expect(await listed("reason=bad_output&phase=expired")).toEqual([]);
  expect(await listed("reason=bad_output&state=PENDING")).toEqual([]);
});

test("by an id, or by how it begins", async () => {
  expect(await listed(`id_prefix=${ids.failed}`)).toEqual(["failed"]);
  // The time of creation to some 65 seconds.
  expect(await listed(`id_prefix=${ids.failed.slice(0, 8)}`)).toEqual(NEWEST_FIRST);
  expect(await listed(`id_prefix=${ids.failed.slice(0, 12)}&phase=failed`)).toEqual(["failed"]);
  expect(await listed(`id_prefix=${ids.failed}&created_before=2026-11-20T10:00:01`)).toEqual([]);
  expect(await listed(`id_prefix=${"f".repeat(32)}`)).toEqual([]);
});

test("by the time of creation, from a second on and before another", async () => {
  expect(await listed("created_after=2026-11-20T10:00:05")).toEqual(["expired", "timed_out"]);
  expect(await listed("created_before=2026-11-20T10:00:02Z")).toEqual(["running", "queued"]);
  const between = "created_after=2026-11-20T10:00:01Z&created_before=2026-11-20T10:00:04Z";
  expect(await listed(between)).toEqual(["failed", "succeeded", "running"]);
  expect(await listed(`${between}&state=PENDING`)).toEqual(["running"]);
});

test("filters hold over the pages and the cursor of a list", async () => {
  const filter = "state=FAILURE&created_after=2026-11-20T10:00:04&size=1";
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { json } = await list(`${filter}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    expect([json.total, json.items.length]).toEqual([3, seen.length === 3 ? 0 : 1]);
    seen.push(...json.items.map(({ task_id }) => task_id));
    cursor = json.next_cursor;
  }
  expect(seen).toEqual([ids.expired, ids.timed_out, ids.cancelled]);
  expect((await list(`${filter}&page=3`)).json.items.map(({ task_id }) => task_id)).toEqual([ids.cancelled]);
});

test("the list of a service is that of the team with the service as filter", async () => {
  const ofTeam = await call(`${api.url}/v1/tasks?service_id=${service.id}`, { key: api.own.key });
  expect(ofTeam.json).toEqual((await list("")).json);
  const another = await addReadyService(api.store, api.own);
  expect((await call(`${api.url}/v1/services/${another.id}/tasks`, { key: api.own.key })).json.total).toBe(0);
});

test("of a service that is unknown, or another team's, there is no list", async () => {
  const others = await addReadyService(api.store, api.other);
  for (const id of ["poseidon", "0".repeat(32), others.id, ""]) {
    const response = await call(`${api.url}/v1/tasks?service_id=${id}`, { key: api.own.key });
    expect([id, response.status, response.json.detail]).toEqual([id, 404, "There is no such service."]);
  }
});

test("a parameter that there is not is refused by its name, as is an unknown member of a new service", async () => {
  const { status, json } = await list("limit=1&state=PENDING");
  expect([status, json]).toMatchObject([
    422,
    {
      errors: [
        {
          pointer: "limit",
          detail:
            "there is no such parameter; known here: page, size, state, phase, reason, created_after, created_before, " +
            "id_prefix, cursor",
        },
      ],
    },
  ]);
  const none = await call(`${api.url}/v1/services/${service.id}?wait=1`, { key: api.own.key });
  expect([none.status, none.json]).toMatchObject([
    422,
    { errors: [{ pointer: "wait", detail: "there is no such parameter; this endpoint has none" }] },
  ]);
  const body = '{"service_name":"a","team":"b"}';
  const created = await call(`${api.url}/v1/services`, { key: api.own.key, body });
  expect([created.status, created.json]).toMatchObject([422, { errors: [{ pointer: "#/team" }] }]);
});

test("what no filter can mean is refused", async () => {
  for (const query of [
    "phase=done",
    "phase=queued&phase=running",
    "reason=unlucky",
    "reason=",
    "id_prefix=0123456",
    "id_prefix=0123456X",
    `id_prefix=${"0".repeat(33)}`,
    "created_after=yesterday",
    "created_after=2026-02-30T00:00:00",
    "created_before=2026-11-20",
    "created_before=2026-11-20T10:00:00%2B01:00",
    "created_before=",
  ]) {
    expect([query, (await list(query)).status]).toEqual([query, 422]);
  }
});
