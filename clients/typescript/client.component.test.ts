/** The client before the service's own HTTP interface, over lines that lose what is sent. */
import { createHash } from "node:crypto";
import {
  addReadyService,
  addTenant,
  type HttpFixture,
  startHttpFixture,
} from "@elastic/coordinator/http/testing/http-fixture.ts";
import { startInstantProver } from "@elastic/coordinator/http/testing/instant-prover.ts";
import { claimTask, failTask, succeedTask } from "@elastic/coordinator/http/testing/run-task.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ElasticClient } from "./client.ts";
import type { ProblemError } from "./errors/problem-error.ts";
import type { Task } from "./records/records.ts";
import type { TaskFailedError } from "./tasks/task-failure.ts";
import { inputUrl, jsonText } from "./tasks/task-input.ts";
import type { TaskProgress } from "./tasks/task-progress.ts";
import { startBrokenLine } from "./testing/broken-line.ts";

const MIB = 1024 * 1024;
const SOON = { pauseMs: 5 };

let api: HttpFixture;
/** In a team whose tasks end as they come. */
let instant: ElasticClient;
let service: string;
let instantKey: string;
/** In a team whose tasks wait for the test. */
let client: ElasticClient;
let slowService: string;

beforeAll(async () => {
  api = await startHttpFixture();
  const tenant = await addTenant(api.store, "instant");
  startInstantProver(api, new Set([tenant.teamId]));
  service = (await addReadyService(api.store, tenant)).id;
  instantKey = tenant.key;
  instant = new ElasticClient({ url: api.url, key: instantKey });
  client = new ElasticClient({ url: api.url, key: api.own.key });
  slowService = (await addReadyService(api.store, api.own)).id;
});
afterAll(() => api.close());

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test("prove returns the result of one task, in a service that is named by its id or its name", async () => {
  for (const named of [service, "prover"]) {
    const { result, taskId, task } = await instant.prove(named, { n: 1 });
    expect([result, task.task_id, task.state, task.input]).toEqual(["proof", taskId, "SUCCESS", '{"n":1}']);
  }
  const unknown = instant.prove("absent", 1);
  await expect(unknown).rejects.toMatchObject({ name: "ProblemError", status: 404, code: "not_found" });
});

test("the bytes of a JSON text reach the service as they are", async () => {
  const text = '{"n": 123456789012345678901, "n2":1.0}';
  expect((await instant.prove(service, jsonText(text))).task.input).toBe(text);
  expect((await instant.prove(service, new TextEncoder().encode(text))).task.input).toBe(text);
  await expect(instant.prove(service, undefined as never)).rejects.toThrow("no JSON text");
});

test("prove rejects with the reason for which the task failed", async () => {
  const created = await client.createTask(slowService, {}, { idempotencyKey: "to-fail" });
  await claimTask(api, created.task_id);
  await failTask(api, created.task_id, { reason: "out_of_memory", message: "it took 9 GiB" });
  const failed = client.prove(slowService, {}, { idempotencyKey: "to-fail" });
  const { failure, task } = (await failed.catch((error) => error)) as TaskFailedError;
  expect([failure.reason, failure.message, failure.retryable]).toEqual(["out_of_memory", "it took 9 GiB", false]);
  expect([task.task_id, task.phase]).toEqual([created.task_id, "failed"]);
});

test("prove makes one task where responses are lost, and where the service is away for a moment", async () => {
  await using line = await startBrokenLine(api.url);
  const away = { status: 503, headers: { "retry-after": "0" } };
  line.next("lose the response", away, { status: 502, headers: {} }, "lose the response");
  const patient = new ElasticClient({ url: line.url, key: instantKey, retries: SOON });
  const before = (await all(instant.tasks())).length;
  expect((await patient.prove(service, 1)).result).toBe("proof");
  expect((await all(instant.tasks())).length).toBe(before + 1);
  expect(line.requests.filter((request) => request.startsWith("POST"))).toHaveLength(5);
});

test("what is not safe to repeat is sent once, and what never helps is not repeated", async () => {
  await using line = await startBrokenLine(api.url);
  const patient = new ElasticClient({ url: line.url, key: instantKey, retries: SOON });
  line.next("lose the response");
  const body = JSON.stringify({ service_name: "once" });
  const creation = patient.request({ method: "POST", path: "/v1/services", body });
  await expect(creation).rejects.toMatchObject({ name: "ConnectionError", kind: "unreachable" });
  await expect(patient.getTask("0".repeat(32))).rejects.toMatchObject({ status: 404 });
  expect(line.requests).toHaveLength(2);
});

test("a request is abandoned after its last attempt, and when the service says to wait for too long", async () => {
  await using line = await startBrokenLine(api.url);
  const hasty = new ElasticClient({ url: line.url, key: instantKey, retries: { ...SOON, attemptsMax: 3 } });
  line.next("lose the response", "lose the response", "lose the response");
  await expect(hasty.getTask("0".repeat(32))).rejects.toMatchObject({ kind: "unreachable" });
  expect(line.requests).toHaveLength(3);
  line.next({ status: 429, headers: { "retry-after": "3600" } });
  const { status, code } = (await hasty.getTask("0".repeat(32)).catch((error) => error)) as ProblemError;
  expect([status, code, line.requests.length]).toEqual([429, "http_429", 4]);
});

test("what is no service of this kind is named", async () => {
  await using line = await startBrokenLine(api.url);
  const elsewhere = new ElasticClient({ url: line.url, key: instantKey });
  for (const [status, location] of [
    [302, "http://127.0.0.1:1/"],
    [200, ""],
  ] as const) {
    line.next({ status, headers: { location } });
    const failed = elsewhere.getTask("0".repeat(32));
    await expect(failed).rejects.toMatchObject({ name: "UnexpectedResponseError", kind: "not_the_service" });
  }
  expect(() => new ElasticClient({ url: "ftp://x", key: "k" })).toThrow(TypeError);
});

test("an input beyond 10 MiB is uploaded, bytes and blobs again after an error", async () => {
  await using line = await startBrokenLine(api.url);
  const patient = new ElasticClient({ url: line.url, key: instantKey, retries: SOON });
  const text = JSON.stringify("x".repeat(11 * MIB));
  line.next("lose the response");
  expect((await patient.prove(service, jsonText(text))).task.input_bytes).toBe(text.length);
  expect(line.requests.slice(0, 2)).toEqual(["POST /v1/uploads", "POST /v1/uploads"]);
  expect((await patient.prove(service, new Blob(["[1]"]))).task.input).toBe("[1]");
  expect((await patient.prove(service, new Blob(["[2]"]).stream())).task.input).toBe("[2]");
});

test("a stream is sent once: a refusal for load is thrown as the service states it", async () => {
  await using line = await startBrokenLine(api.url);
  const patient = new ElasticClient({ url: line.url, key: instantKey, retries: SOON });
  line.next({ status: 429, headers: { "retry-after": "0" } });
  const refused = patient.createTask(service, new Blob(["[3]"]).stream());
  await expect(refused).rejects.toMatchObject({ name: "ProblemError", status: 429, retryAfter: "0" });
  expect(line.requests).toEqual(["POST /v1/uploads"]);
});

test("a stream that a function opens is opened again, and sent completely, after an error", async () => {
  await using line = await startBrokenLine(api.url);
  const patient = new ElasticClient({ url: line.url, key: instantKey, retries: SOON });
  const text = "x".repeat(MIB);
  const path = `/v1/volumes/files/${createHash("sha256").update(text).digest("hex")}`;
  const headers = { "content-type": "application/octet-stream" };
  line.next({ status: 429, headers: { "retry-after": "0" } }, "lose the response");
  await patient.request({ method: "PUT", path, headers, body: () => new Blob([text]).stream() });
  expect(line.requests).toEqual(Array(3).fill(`PUT ${path}`));
});

test("a preflight of a team's web page allows every header that the client sends", async () => {
  const page = "https://app.example";
  const path = `/v1/teams/${api.own.teamId}`;
  await client.request({ method: "PATCH", path, body: JSON.stringify({ origins: [page] }) });
  const headers = { origin: page, "access-control-request-method": "POST" };
  const preflight = await fetch(`${api.url}/v1/tasks`, { method: "OPTIONS", headers });
  const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
  const sent: string[] = [];
  const inPage = new ElasticClient({
    url: api.url,
    key: api.own.key,
    team: api.own.teamId,
    fetch: async (_, init) => {
      sent.push(...new Headers(init?.headers).keys());
      return Response.json({});
    },
  });
  await inPage.createTask(slowService, 1, { idempotencyKey: "k" });
  expect(sent).toContain("user-agent");
  // `accept` needs no permission (Fetch Standard, CORS-safelisted request-header).
  expect(allowed).toEqual(expect.arrayContaining(sent.filter((name) => name !== "accept")));
});

test("an input at a URL is fetched by the service", async () => {
  await using line = await startBrokenLine(api.url);
  const { task } = await instant.prove(service, inputUrl(`${line.url}/v1/openapi.json`));
  expect([task.input_bytes > 1000, line.requests]).toEqual([true, ["GET /v1/openapi.json"]]);
});

test("a result beyond 8 MiB is fetched", async () => {
  const result = "é".repeat(5 * MIB);
  const { task_id: id } = await client.createTask(slowService, 1);
  await claimTask(api, id);
  await succeedTask(api, id, result);
  const task = await client.awaitTask(id);
  expect([task.result, task.result_omitted]).toEqual([null, true]);
  expect((await client.readResult(task)) === result).toBe(true);
});

test("lists are read page by page, as far as they are used", async () => {
  await using line = await startBrokenLine(api.url);
  const reader = new ElasticClient({ url: line.url, key: instantKey });
  const tasks = await all(reader.tasks({ state: "SUCCESS" }, { pageSize: 2 }));
  expect(tasks.length).toBeGreaterThan(4);
  expect(new Set(tasks.map((task) => task.task_id)).size).toBe(tasks.length);
  expect(line.requests).toHaveLength(Math.ceil(tasks.length / 2));
  for await (const task of reader.tasks({}, { pageSize: 1 })) {
    expect(task.service_id).toBe(service);
    break;
  }
  expect(line.requests).toHaveLength(Math.ceil(tasks.length / 2) + 1);
  for (const name of ["b", "a"]) {
    await instant.request({ method: "POST", path: "/v1/services", body: JSON.stringify({ service_name: name }) });
  }
  const names = (await all(reader.services({ pageSize: 1 }))).map((one) => one.service_name);
  expect(names.toSorted()).toEqual(["a", "b", "prover", ...(names.includes("once") ? ["once"] : [])].toSorted());
});

/** Ends it as its progress is seen. */
async function endAsSeen(id: string): Promise<void> {
  await claimTask(api, id);
  api.progress.set(id, 1, { fraction: 0.5, message: "half" });
}

test("progress is reported as it happens, over a connection that is cut, each event once", async () => {
  await using line = await startBrokenLine(api.url);
  const patient = new ElasticClient({ url: line.url, key: api.own.key, retries: SOON });
  const seen: TaskProgress[] = [];
  const stop = api.store.view.tasks.subscribe(({ before, after }) => {
    if (before === undefined && after?.value.serviceId === slowService) void endAsSeen(after.value.id);
  });
  line.next("pass", { cutAt: "task.started" });
  const { result, taskId } = await patient.prove(slowService, 7, {
    onProgress: (progress) => {
      seen.push(progress);
      if (progress.message === "half") void succeedTask(api, progress.taskId, "slow proof");
    },
  });
  stop();
  const during = { taskId, attempt: 1, phase: "running" };
  expect(result).toBe("slow proof");
  expect(seen.filter(({ message }) => message === "")).toEqual([
    { ...during, attempt: 0, phase: "queued", fraction: null, message: "" },
    { ...during, fraction: null, message: "" },
  ]);
  expect(seen.at(-1)).toEqual({ ...during, fraction: 0.5, message: "half" });
  expect(line.requests.filter((request) => request.endsWith("/events"))).toHaveLength(2);
});

test("an aborted signal stops waiting, and cancels the task where that is wanted", async () => {
  for (const cancelOnAbort of [false, true]) {
    const aborted = new AbortController();
    const ids: string[] = [];
    const waiting = client.prove(slowService, 8, {
      signal: aborted.signal,
      cancelOnAbort,
      onProgress: ({ taskId }) => {
        ids.push(taskId);
        aborted.abort(new Error("enough"));
      },
    });
    await expect(waiting).rejects.toThrow("enough");
    const phase = async (): Promise<Task["phase"]> => (await client.getTask(ids[0] ?? "")).phase;
    await expect.poll(phase).toBe(cancelOnAbort ? "cancelled" : "queued");
    expect((await client.cancelTask(ids[0] ?? "")).phase).toBe("cancelled");
  }
});
