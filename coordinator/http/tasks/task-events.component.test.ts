import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { remove, replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { readEvents, type SeenEvent } from "../testing/event-reader.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";
import { type SecondCoordinator, startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;
let second: SecondCoordinator;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
  second = await startSecondCoordinator(api);
  serviceId = (await addReadyService(api.store, api.own)).id;
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await api.close();
});

async function created(): Promise<string> {
  return (await call(`${api.url}/v1/services/${serviceId}`, { key: api.own.key, body: '{"input":1}' })).json.task_id;
}

function eventsUrl(id: string, query = "", at: { readonly url: string } = api): string {
  return `${at.url}/v1/tasks/${id}/events${query}`;
}

function typesOf(events: readonly SeenEvent[]): string[] {
  return events.map(({ id, type }) => `${id} ${type}`);
}

test("a task is followed from its creation to its end, when the stream ends", async () => {
  const id = await created();
  const following = readEvents(eventsUrl(id), { key: api.own.key });
  await claimTask(api, id);
  await failTask(api, id, { reason: "node_lost" });
  await claimTask(api, id);
  await succeedTask(api, id, "secret proof");
  const events = await following;
  expect(typesOf(events)).toEqual([
    "0 task.created",
    "1 task.started",
    "2 task.requeued",
    "3 task.started",
    "4 task.succeeded",
  ]);
  const task = (await call(`${api.url}/v1/tasks/${id}`, { key: api.own.key })).json;
  expect(events.map(({ data }) => data)).toEqual([
    expect.objectContaining({ type: "task.created", at: task.created, state: "PENDING", attempt: null, reason: null }),
    expect.objectContaining({ type: "task.started", state: "PENDING", attempt: 1, node_id: "node", reason: null }),
    expect.objectContaining({ type: "task.requeued", state: "PENDING", attempt: 1, reason: "node_lost" }),
    expect.objectContaining({ type: "task.started", state: "PENDING", attempt: 2, reason: null }),
    {
      type: "task.succeeded",
      task_id: id,
      service_id: serviceId,
      at: task.finished,
      state: "SUCCESS",
      attempt: 2,
      node_id: null,
      reason: null,
    },
  ]);
  expect(JSON.stringify(events)).not.toContain("secret proof");
});

test.each([
  ["prover_error", "task.failed"],
  ["run_timeout", "task.timed_out"],
] as const)("a task that ends by %s ends with %s", async (reason, type) => {
  const id = await created();
  await claimTask(api, id);
  await failTask(api, id, { reason });
  const last = (await readEvents(eventsUrl(id), { key: api.own.key })).at(-1);
  expect(last).toMatchObject({ type, data: { state: "FAILURE", reason } });
});

test("after an end that was seen there is nothing to come back for", async () => {
  const id = await created();
  await call(`${api.url}/v1/tasks/${id}/cancel`, { key: api.own.key, method: "POST" });
  const options = { key: api.own.key, headers: { "last-event-id": "1" } };
  expect((await call(eventsUrl(id), options)).status).toBe(204);
  expect((await call(eventsUrl(id, "?last_event_id=1"), { key: api.own.key })).status).toBe(204);
  expect(typesOf(await readEvents(eventsUrl(id, "?last_event_id=0"), { key: api.own.key }))).toEqual([
    "1 task.cancelled",
  ]);
});

test("the header goes before the query, as a browser that comes back sends both", async () => {
  const id = await created();
  await claimTask(api, id);
  await succeedTask(api, id, "r");
  const options = { key: api.own.key, headers: { "last-event-id": "1" } };
  expect(typesOf(await readEvents(eventsUrl(id, "?last_event_id=0"), options))).toEqual(["2 task.succeeded"]);
});

test("the id of no event is refused", async () => {
  const id = await created();
  for (const named of ["1", "99", "x", "-1", "1.5", "99999999", "0 "]) {
    const { status, json } = await call(eventsUrl(id, `?last_event_id=${encodeURIComponent(named)}`), {
      key: api.own.key,
    });
    expect([named, status, json.code]).toEqual([named, 422, "invalid_request"]);
  }
});

test("cut at any point, and gone on with at either coordinator, no event is lost and none comes twice", async () => {
  const step = fc.constantFrom("fail", "lose");
  const cuts = fc.array(fc.record({ after: fc.nat({ max: 3 }), elsewhere: fc.boolean() }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 4 }), cuts, async (steps, plan) => {
      const id = await created();
      const living = live(id, steps);
      const seen: SeenEvent[] = [];
      const turns = plan.values();
      while ((seen.at(-1)?.data.state ?? "PENDING") === "PENDING") {
        const { value: turn } = turns.next();
        const last = seen.at(-1)?.id;
        seen.push(
          ...(await readEvents(eventsUrl(id, "", turn?.elsewhere ? second : api), {
            key: api.own.key,
            headers: typeof last === "number" ? { "last-event-id": String(last) } : {},
            ...(turn === undefined ? {} : { cutAfter: turn.after + 1 }),
          })),
        );
      }
      await living;
      const task = await api.store.get("tasks", id);
      expect(typesOf(seen)).toEqual(task?.value.timeline.map(([, event], index) => `${index} task.${event}`));
    }),
    { numRuns: 30 },
  );

  async function live(id: string, steps: readonly string[]): Promise<void> {
    for (const step of steps) {
      await claimTask(api, id);
      await failTask(api, id, { reason: step === "fail" ? "gpu_fault" : "node_lost" });
      if ((await api.store.get("tasks", id))?.value.phase.kind === "failed") return;
    }
    await claimTask(api, id);
    await succeedTask(api, id, "r");
  }
});

describe("a stream that is open", () => {
  /** Resolves once the stream has sent its first event; `ended` when it is over. */
  async function opened(url: string, key: string): Promise<{ readonly ended: Promise<SeenEvent[]> }> {
    const first = Promise.withResolvers<void>();
    const ended = readEvents(url, { key, onEvent: () => first.resolve() });
    ended.catch(first.reject);
    await first.promise;
    return { ended };
  }

  test("ends with the key that opened it", async () => {
    const { userId, teamId: defaultTeamId } = api.own;
    const text = await addKey(api.store, { userId, defaultTeamId, scopes: ["tasks:read"] });
    const id = await created();
    const { ended } = await opened(eventsUrl(id), text);
    const key = [...api.store.view.accessKeys.values()].find(({ value }) => value.scopes.includes("tasks:read"));
    if (key === undefined) throw new Error("the key is not in the view");
    await api.store.commit([replace("access-keys", key, { ...key.value, revokedAt: 1 })]);
    await claimTask(api, id);
    expect(typesOf(await ended)).toEqual(["0 task.created"]);
  });

  test("ends when its task is removed", async () => {
    const id = await created();
    const { ended } = await opened(eventsUrl(id), api.own.key);
    const task = await api.store.get("tasks", id);
    if (task === null) throw new Error("no task");
    await api.store.commit([remove("tasks", task)]);
    expect(typesOf(await ended)).toEqual(["0 task.created"]);
  });

  test("ends when the server stops, so that its client resumes elsewhere", async () => {
    const third = await startSecondCoordinator(api);
    const id = await created();
    const { ended } = await opened(eventsUrl(id, "", third), api.own.key);
    await third[Symbol.asyncDispose]();
    expect(typesOf(await ended)).toEqual(["0 task.created"]);
  });

  test("is one of a bounded number of its key", async () => {
    const id = await created();
    const { userId, teamId: defaultTeamId } = api.own;
    const key = await addKey(api.store, { userId, defaultTeamId });
    const streams = await Promise.all(Array.from({ length: 1000 }, () => opened(eventsUrl(id), key)));
    const refused = await call(eventsUrl(id), { key });
    expect([refused.status, refused.json.code]).toEqual([429, "too_many_waits"]);
    await claimTask(api, id);
    await succeedTask(api, id, "r");
    for (const { ended } of streams) expect(typesOf(await ended)).toHaveLength(3);
    await vi.waitFor(async () => expect(await readEvents(eventsUrl(id), { key })).toHaveLength(3));
  });
});

test("how far a running task is rides along, without an id, and only while it runs", async () => {
  const id = await created();
  await claimTask(api, id);
  api.progress.set(id, 1, { fraction: 0.25, message: "folding" });
  const seen: SeenEvent[] = [];
  const first = Promise.withResolvers<void>();
  const following = readEvents(eventsUrl(id), {
    key: api.own.key,
    onEvent: (event) => {
      seen.push(event);
      if (event.type === "task.progress") first.resolve();
    },
  });
  await first.promise;
  await succeedTask(api, id, "r");
  await following;
  expect(typesOf(seen)).toEqual(["0 task.created", "1 task.started", "null task.progress", "2 task.succeeded"]);
  expect(seen[2]?.data).toEqual({
    type: "task.progress",
    task_id: id,
    attempt: 1,
    fraction: 0.25,
    message: "folding",
  });
});
