import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSession } from "../../auth/make-session.ts";
import { create, remove, replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { readEvents, type SeenEvent } from "../testing/event-reader.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, succeedTask } from "../testing/run-task.ts";
import { type SecondCoordinator, startSecondCoordinator } from "../testing/second-coordinator.ts";

const REVOKED_WITHIN_MS = 1_500;

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

interface Change {
  readonly kind: string;
  readonly id: string | null;
  readonly state: string | null;
}

function changesOf(events: readonly SeenEvent[]): Change[] {
  return events.flatMap(({ data }) => (data.changes ?? []) as Change[]);
}

/** Follows until the condition holds of all that was seen. On a busy machine a stream may end before: it reconnects then. */
async function followUntil(
  enough: (events: readonly SeenEvent[]) => boolean,
  { url = api.url, key = api.own.key, after = "", headers = {}, onFirst = async () => {} }: Partial<Followed> = {},
): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  const cut = new AbortController();
  const onEvent = (event: SeenEvent) => {
    seen.push(event);
    if (seen.length === 1) void onFirst();
    if (enough(seen)) cut.abort();
  };
  while (!cut.signal.aborted) {
    const last = seen.at(-1)?.idText ?? after;
    const named = last === "" ? headers : { ...headers, "last-event-id": last };
    await readEvents(`${url}/v1/events`, { key, headers: named, onEvent, signal: cut.signal });
  }
  return seen;
}

interface Followed {
  readonly url: string;
  readonly key: string;
  readonly after: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly onFirst: () => Promise<void>;
}

async function createTask(): Promise<string> {
  return (await call(`${api.url}/v1/services/${serviceId}`, { key: api.own.key, body: '{"input":1}' })).json.task_id;
}

const saw = (id: string, state: string) => (events: readonly SeenEvent[]) =>
  changesOf(events).some((change) => change.id === id && change.state === state);

test("a team's changes are seen at every coordinator, and by no other team", async () => {
  let task = "";
  const others = followUntil((events) => changesOf(events).some(({ kind }) => kind === "service"), {
    key: api.other.key,
    url: second.url,
    onFirst: async () => {
      await addReadyService(api.store, api.other);
    },
  });
  const run = async () => {
    task = await createTask();
    await claimTask(api, task);
    await succeedTask(api, task, "secret proof");
  };
  const seen = await followUntil((events) => saw(task, "succeeded")(events), { url: second.url, onFirst: run });
  expect(seen[0]).toMatchObject({ type: "reset", data: { type: "reset" } });
  expect(changesOf(seen).at(-1)).toEqual({ kind: "task", id: task, service_id: serviceId, state: "succeeded" });
  expect(JSON.stringify(seen)).not.toContain("secret proof");
  expect(changesOf(await others).map(({ id }) => id)).not.toContain(task);
});

test("a client that was cut continues at the other coordinator and misses nothing", async () => {
  const task = await createTask();
  const before = await followUntil(saw(task, "queued"), { after: await positionBefore() });
  const last = before.at(-1)?.idText ?? "";
  await claimTask(api, task);
  await expect.poll(() => second.store.view.tasks.get(task)?.value.phase.kind).toBe("running");
  const [first] = await followUntil((events) => events.length > 0, { url: second.url, after: last });
  expect(first?.type).toBe("changes");
  expect(changesOf([first as SeenEvent])).toContainEqual({
    kind: "task",
    id: task,
    service_id: serviceId,
    state: "running",
  });
});

/** That of a client that saw everything but the newest task. */
async function positionBefore(): Promise<string> {
  const [first] = await followUntil((events) => events.length > 0);
  const [epoch, revision] = (first?.idText ?? "").split("-").map(Number);
  return `${epoch}-${(revision ?? 0) - 1}`;
}

test("a client whose last event is unknown reads again; what is no event's id is refused", async () => {
  const third = await startSecondCoordinator(api);
  const [first] = await followUntil((events) => events.length > 0, { url: third.url, after: "1-1" });
  expect(first?.type).toBe("reset");
  await third[Symbol.asyncDispose]();
  for (const named of ["1", "x-1", "-1-1", "1-", "1-1-1"]) {
    const headers = { "last-event-id": named };
    const { status, json } = await call(`${api.url}/v1/events`, { key: api.own.key, headers });
    expect([named, status, json.code]).toEqual([named, 422, "invalid_request"]);
  }
});

test("the team is that of the query, else of the header, else the key's own", async () => {
  const { own, other } = api;
  expect((await call(`${api.url}/v1/events?team_id=${own.teamId}`, { key: own.key })).status).toBe(200);
  for (const named of [other.teamId, "0".repeat(32), "x"]) {
    expect((await call(`${api.url}/v1/events?team_id=${named}`, { key: own.key })).status).toBe(404);
  }
  expect((await call(`${api.url}/v1/events`, { key: own.key, headers: { "x-team": other.teamId } })).status).toBe(404);
  const key = await addKey(api.store, { userId: own.userId, defaultTeamId: own.teamId, scopes: ["tasks:write"] });
  expect((await call(`${api.url}/v1/events`, { key })).status).toBe(403);
});

test("a silent stream ends within a second of its key's revocation and of its session's end", async () => {
  const { userId, teamId: defaultTeamId } = api.own;
  const key = await addKey(api.store, { userId, defaultTeamId });
  const { record, cookie } = makeSession({ userId, defaultTeamId, provider: "test", userAgent: "" }, Date.now());
  await api.store.commit([create("sessions", record)]);
  await expect.poll(() => second.store.view.sessions.get(record.id)).toBeDefined();
  const ends = [
    {
      open: { key },
      end: async () => {
        const [, keyId = ""] = key.split("_");
        const found = await api.store.get("access-keys", keyId);
        if (found === null) throw new Error("there is no such key");
        await api.store.commit([replace("access-keys", found, { ...found.value, revokedAt: 1 })]);
      },
    },
    {
      open: { headers: { cookie: `elastic_session=${cookie}` } },
      end: async () => {
        const found = await api.store.get("sessions", record.id);
        if (found === null) throw new Error("there is no such session");
        await api.store.commit([remove("sessions", found)]);
      },
    },
  ];
  for (const { open, end } of ends) {
    const opened = Promise.withResolvers<void>();
    const following = readEvents(`${second.url}/v1/events`, { ...open, onEvent: () => opened.resolve() });
    await opened.promise;
    await end();
    const endedAt = performance.now();
    await following;
    expect(performance.now() - endedAt).toBeLessThan(REVOKED_WITHIN_MS);
  }
});
