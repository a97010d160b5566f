import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Archive, ArchiveUnavailableError } from "../../archive/archive.ts";
import { withHistory } from "../../archive/store-with-history.ts";
import { TaskHistory } from "../../archive/task-history.ts";
import type { Service } from "../../domain/service.ts";
import { type HttpServer, startHttp } from "../server.ts";
import { type CallOptions, type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { moveEnded } from "../testing/move-tasks.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let api: HttpFixture;
let service: Service;

beforeAll(async () => {
  api = await startHttpFixture();
  service = await addReadyService(api.store, api.own);
});
afterAll(() => api.close());

function get(path: string, options: CallOptions = {}, url = api.url): Promise<CallResponse> {
  return call(`${url}/v1${path}`, { key: api.own.key, ...options });
}

async function createTask(input: unknown = 7, serviceId = service.id): Promise<string> {
  const response = await get(`/services/${serviceId}`, { body: JSON.stringify({ input }) });
  return response.json.task_id;
}

async function endTask(result: string, serviceId = service.id): Promise<string> {
  const id = await createTask({ n: "é" }, serviceId);
  await claimTask(api, id);
  await succeedTask(api, id, result);
  return id;
}

/** The same API with a clock that is ahead, and with another way to the archive where one is given. */
async function startLater(laterMs: number, archive: Archive = api.archive): Promise<HttpServer> {
  const clock = { ...api.options.clock, now: () => Date.now() + laterMs };
  const store = withHistory(api.store, archive, clock);
  return await startHttp({ ...api.options, clock, store, history: new TaskHistory(store.view.tasks, archive) });
}

describe("an archived task", () => {
  test("is shown as it was while it was live: alone, in lists, its result, and to whoever cancels it", async () => {
    const failed = await createTask();
    await claimTask(api, failed);
    await failTask(api, failed, { message: "no", logTail: "tail" });
    const ids = [await endTask("small"), await endTask("x".repeat(9_000)), failed];
    const look = async () =>
      await Promise.all([
        ...ids.map((id) => get(`/tasks/${id}`)),
        ...ids.map((id) => get(`/tasks/${id}?wait=5`)),
        ...ids.map((id) => get(`/tasks/${id}/result`)),
        ...ids.map((id) => get(`/tasks/${id}/events`)),
        ...ids.map((id) => get(`/tasks/${id}/logs`)),
        ...ids.map((id) => get(`/tasks/${id}/cancel`, { method: "POST" })),
        get("/tasks"),
        get("/tasks?state=SUCCESS&size=1"),
        get(`/services/${service.id}/tasks?phase=failed`),
        get("/tasks?reason=prover_error"),
        get("/tasks?reason=prover_error&created_after=2020-01-01T00:00:00&id_prefix=00000000"),
        get(`/tasks?id_prefix=${failed}`),
      ]);
    const before = (await look()).map(({ status, text }) => [status, withoutRequestId(text)]);
    await moveEnded(api);
    expect(api.store.view.tasks.endedEntries.size).toBe(0);
    expect((await look()).map(({ status, text }) => [status, withoutRequestId(text)])).toEqual(before);
  });

  test("is what a repeated request with its Idempotency-Key gets", async () => {
    const send = () =>
      get(`/services/${service.id}`, { body: '{"input":1}', headers: { "idempotency-key": "once-and-archived" } });
    const first = await send();
    await claimTask(api, first.json.task_id);
    await succeedTask(api, first.json.task_id, "done");
    await moveEnded(api);
    const second = await send();
    expect([second.status, second.json.task_id, second.json.result]).toEqual([201, first.json.task_id, "done"]);
  });

  test("opens by its signed link", async () => {
    const id = await endTask("by link");
    const { result_url: link } = (await get(`/tasks/${id}`)).json;
    await moveEnded(api);
    const response = await call(link);
    expect([response.status, response.text]).toEqual([200, "by link"]);
  });

  test("of another team is an unknown task", async () => {
    const id = await endTask("secret");
    await moveEnded(api);
    const other = { key: api.other.key };
    for (const path of ["", "/result", "/events", "/logs"]) {
      const [theirs, unknown] = await Promise.all(
        [id, id.replace(/.$/, "f").replace(/^./, "f")].map((one) => get(`/tasks/${one}${path}`, other)),
      );
      expect([path, theirs?.status, theirs?.json.detail]).toEqual([path, 404, unknown?.json.detail]);
    }
    expect((await get("/tasks", other)).json.total).toBe(0);
  });

  test("and live ones make one list, by page and by cursor", async () => {
    const own = await addReadyService(api.store, api.own);
    const ended: string[] = [];
    for (let count = 0; count < 5; count++) ended.push(await endTask(`${count}`, own.id));
    const open = await createTask(1, own.id);
    await moveEnded(api);
    const fresh = [await endTask("fresh", own.id), await createTask(2, own.id)];
    // Of the same millisecond either may be the newer one.
    const all = [...ended, open, ...fresh].sort().reverse();
    const list = `/services/${own.id}/tasks?size=3`;
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`${list}&page=${page}`)));
    expect(pages.map(({ json }) => json.total)).toEqual([8, 8, 8, 8]);
    expect(pages.flatMap(({ json }) => json.items.map(({ task_id }) => task_id))).toEqual(all);
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { json }: CallResponse = await get(`${list}${cursor && `&cursor=${cursor}`}`);
      found.push(...json.items.map(({ task_id }) => task_id));
      cursor = json.next_cursor;
    }
    expect(found).toEqual(all);
  });

  test("is not skipped by the ten thousand: a deep page is refused with how to continue", async () => {
    const response = await get("/tasks?page=102&size=100");
    expect([response.status, response.json.errors[0]?.pointer]).toEqual([422, "page"]);
    expect(response.json.errors[0]?.detail).toContain("next_cursor");
    expect((await get("/tasks?page=101&size=100")).status).toBe(200);
  });
});

describe("retention", () => {
  test("is the service's: an hour to 90 days, a week if nothing is said, and holds for new tasks", async () => {
    const send = (method: string, path: string, body: object) => get(path, { method, body: JSON.stringify(body) });
    const made = await send("POST", "/services", { service_name: "short", result_retention_seconds: 3_600 });
    expect([made.status, retentionOf(made)]).toEqual([201, 3_600]);
    expect(retentionOf(await send("POST", "/services", { service_name: "usual" }))).toBe(604_800);
    for (const seconds of [3_599, 90 * 86_400 + 1, "3600", null, 1.5]) {
      const response = await send("PATCH", `/services/${service.id}`, { result_retention_seconds: seconds });
      expect([seconds, response.status]).toEqual([seconds, 422]);
    }
    const before = await endTask("before");
    expect(retainedMs((await get(`/tasks/${before}`)).json)).toBe(7 * DAY_MS);
    const changed = await send("PATCH", `/services/${service.id}`, { result_retention_seconds: 7_200 });
    expect([changed.status, retentionOf(changed)]).toEqual([200, 7_200]);
    expect(retentionOf(await send("PATCH", `/services/${service.id}`, {}))).toBe(7_200);
    const after = await endTask("after");
    expect(retainedMs((await get(`/tasks/${after}`)).json)).toBe(2 * HOUR_MS);
    expect(retainedMs((await get(`/tasks/${before}`)).json)).toBe(7 * DAY_MS);
    expect((await get(`/tasks/${await createTask()}`)).json).toMatchObject({ expires_at: null, result_expired: false });
    const theirs = await get(`/services/${service.id}`, { key: api.other.key, method: "PATCH", body: "{}" });
    expect(theirs.status).toBe(404);
  });

  test("over, a result is gone, live or archived: 410 to key and link, and a record that says so", async () => {
    const failed = await createTask();
    await claimTask(api, failed);
    await failTask(api, failed, {});
    for (const [where, size] of [
      ["live", 5],
      ["archived", 5],
      ["archived", 9_000],
    ] as const) {
      const id = await endTask("r".repeat(size));
      const { result_url: link, expires_at: expiresAt } = (await get(`/tasks/${id}`)).json;
      if (where === "archived") await moveEnded(api);
      const later = await startLater(8 * DAY_MS);
      const responses = [
        await get(`/tasks/${id}/result`, {}, later.url),
        // Its link is signed for a day: with a later clock the response is about the expiry of the link itself.
        await get(`/tasks/${id}/result?${link.split("?")[1]}`, {}, later.url),
      ];
      expect(responses.map(({ status, json }) => [status, json.code])).toEqual([
        [410, "result_expired"],
        [410, "link_expired"],
      ]);
      expect(responses[0]?.json.detail).toContain(expiresAt);
      const gone = { state: "SUCCESS", result: null, input: null, result_expired: true, result_url: null };
      expect((await get(`/tasks/${id}`, {}, later.url)).json).toMatchObject({ ...gone, result_omitted: false });
      const items = (await get("/tasks", {}, later.url)).json.items;
      expect(items.find(({ task_id }) => task_id === id)).toMatchObject(gone);
      expect((await get(`/tasks/${failed}`, {}, later.url)).json).toMatchObject({
        state: "FAILURE",
        input: null,
        result_expired: false,
      });
      await later.stop();
    }
  });

  test("over, a link that is still valid gets 410", async () => {
    const hourly = await addReadyService(api.store, api.own);
    await get(`/services/${hourly.id}`, { method: "PATCH", body: '{"result_retention_seconds":3600}' });
    const id = await endTask("an hour", hourly.id);
    const { result_url: link } = (await get(`/tasks/${id}`)).json;
    const later = await startLater(2 * HOUR_MS);
    const response = await get(`/tasks/${id}/result?${link.split("?")[1]}`, {}, later.url);
    expect([response.status, response.json.code]).toEqual([410, "result_expired"]);
    await later.stop();
  });
});

describe("an archive that is away", () => {
  test("costs what only it has, with 503; live tasks are created, waited for and read as ever", async () => {
    const archived = await endTask("old");
    await moveEnded(api);
    const away = await startLater(0, awayArchive());
    for (const path of [`/tasks/${archived}`, `/tasks/${archived}/result`, "/tasks", usagePath()]) {
      const response = await get(path, {}, away.url);
      expect([path, response.status, response.json.code]).toEqual([path, 503, "archive_unavailable"]);
      expect(response.headers.get("retry-after")).toBe("1");
    }
    const created = await get(`/services/${service.id}`, { body: '{"input":1}' }, away.url);
    expect(created.status).toBe(201);
    const waiting = get(`/tasks/${created.json.task_id}?wait=30`, {}, away.url);
    await claimTask(api, created.json.task_id);
    await succeedTask(api, created.json.task_id, "done");
    expect((await waiting).json.result).toBe("done");
    expect((await get(`/tasks/${created.json.task_id}/result`, {}, away.url)).text).toBe("done");
    await away.stop();
  });
});

describe("usage", () => {
  test("is of a team's live and archived tasks, by service and phase", async () => {
    const own = await addReadyService(api.store, api.own);
    await endTask("one", own.id);
    await moveEnded(api);
    await endTask("two", own.id);
    const failed = await createTask(3, own.id);
    await claimTask(api, failed);
    await failTask(api, failed, { runMs: 0 });
    await createTask(4, own.id);
    const response = await get(usagePath());
    expect(response.status).toBe(200);
    const ofService = usageOf(response).services.find(({ service_id }) => service_id === own.id);
    expect(ofService).toMatchObject({
      service_name: "prover",
      tasks: { succeeded: 2, failed: 1, cancelled: 0, timed_out: 0, expired: 0 },
      gpu_seconds: 0,
    });
    // The agent measured 1.5 s, and no run is longer than its task's life.
    expect(ofService?.slot_seconds).toBeLessThanOrEqual(3);
    expect(usageOf(response).total.tasks.succeeded).toBeGreaterThanOrEqual(2);
  });

  test("by day and service is the same in a list and in a file", async () => {
    const own = await addReadyService(api.store, api.own);
    await endTask("one", own.id);
    await moveEnded(api);
    await endTask("two", own.id);
    const today = new Date().toISOString().slice(0, 10);
    const listed = await get(usagePath("/days"));
    const tasks = { succeeded: 2, failed: 0, cancelled: 0, timed_out: 0, expired: 0 };
    const row = listed.json.items.find((one) => one.service_id === own.id) as unknown as { slot_seconds: number };
    expect(row).toMatchObject({ day: today, service_name: "prover", tasks, gpu_seconds: 0 });
    const exported = await get(usagePath("/export"));
    expect(exported.headers.get("content-disposition")).toBe('attachment; filename="usage.csv"');
    expect(exported.headers.get("content-type")).toContain("text/csv");
    const [head, ...lines] = exported.text.trimEnd().split("\r\n");
    expect(head).toMatch(/^day,service_id,service_name,tasks_succeeded,/);
    expect(lines).toContain(`${today},${own.id},prover,2,0,0,0,0,0,${row.slot_seconds}`);
    expect((await get(usagePath("/days?from=2026-01-01T10:30:00&to=2026-01-01T10:40:00Z"))).json.items).toEqual([]);
    for (const path of ["/days", "/export"]) {
      expect((await get(usagePath(`${path}?from=2026-01-01T00:00:00&to=2026-04-05T00:00:00`))).status).toBe(422);
      expect((await get(`/teams/${api.other.teamId}/usage${path}`)).status).toBe(404);
    }
  });

  test("is of whole hours, and of a quarter at most", async () => {
    const response = await get(usagePath("?from=2026-01-01T10:30:00&to=2026-01-01T10:40:00Z"));
    expect(usageOf(response)).toMatchObject({
      from: "2026-01-01T10:00:00",
      to: "2026-01-01T11:00:00",
      total: { tasks: { succeeded: 0 }, run_seconds: null, queue_seconds: null },
      services: [],
    });
    for (const query of [
      "?from=2026-01-01T00:00:00&to=2026-04-05T00:00:00",
      "?from=2026-01-02T00:00:00&to=2026-01-01T00:00:00",
      "?from=yesterday",
      "?to=2026-02-30T00:00:00",
    ]) {
      expect([query, (await get(usagePath(query))).status]).toEqual([query, 422]);
    }
  });

  test("of another team is an unknown team's", async () => {
    const theirs = await get(`/teams/${api.other.teamId}/usage`);
    const unknown = await get(`/teams/${"0".repeat(32)}/usage`);
    expect([theirs.status, theirs.json.detail]).toEqual([404, unknown.json.detail]);
  });
});

interface UsageJson {
  readonly total: { readonly tasks: { readonly succeeded: number } };
  readonly services: readonly { readonly service_id: string; readonly slot_seconds: number }[];
}

function usageOf({ text }: CallResponse): UsageJson {
  return JSON.parse(text) as UsageJson;
}

function usagePath(query = ""): string {
  return `/teams/${api.own.teamId}/usage${query}`;
}

function retentionOf({ text }: CallResponse): number {
  return (JSON.parse(text) as { result_retention_seconds: number }).result_retention_seconds;
}

function retainedMs(task: Pick<CallResponse["json"], "finished" | "expires_at">): number {
  return Date.parse(`${task.expires_at}Z`) - Date.parse(`${task.finished}Z`);
}

function withoutRequestId(text: string): string {
  return text.replace(/"request_id":"[^"]*"/, "");
}

/** Every call of it fails. */
function awayArchive(): Archive {
  const fail = async () => {
    throw new ArchiveUnavailableError("the database is away");
  };
  return new Proxy(api.archive, { get: (_target, name) => (name === "id" ? "archive" : fail) });
}
