import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { newId } from "@elastic/std/ids.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { remove, replace } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
  serviceId = (await addReadyService(api.store, api.own)).id;
});
afterAll(() => api.close());

function post(body: object | string, at: { readonly url: string } = api): Promise<CallResponse> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return call(`${at.url}/v1/services/${serviceId}`, { key: api.own.key, body: text });
}

function recordOf({ text }: CallResponse): Record<string, unknown> {
  return JSON.parse(text);
}

async function inputOf(answer: CallResponse): Promise<string> {
  const task = await api.store.get("tasks", answer.json.task_id);
  const ref = task?.value.input;
  if (ref === undefined) throw new Error("no task");
  if (ref.where === "store") return (await api.store.bytes("input", answer.json.task_id))?.toString() ?? "";
  const blob = await api.blobs.open(api.own.teamId, ref.sha256);
  return Buffer.concat((await blob?.stream.toArray()) ?? []).toString();
}

describe("priority and limits", () => {
  test("are those of the request, in the record too, and the deployment's where it names none", async () => {
    const requested = await post({
      input: 1,
      priority: -10,
      limits: { queue_timeout_seconds: 604_800, run_timeout_seconds: 30 },
      proof_type: "CHUNK",
    });
    expect([requested.status, recordOf(requested).priority, recordOf(requested).limits]).toEqual([
      201,
      -10,
      { queue_timeout_seconds: 604_800, start_timeout_seconds: 60, run_timeout_seconds: 30 },
    ]);
    const task = await api.store.get("tasks", requested.json.task_id);
    expect(task?.value).toMatchObject({
      priority: -10,
      budgets: { queueMs: 604_800_000, startMs: 60_000, runMs: 30_000 },
    });
    expect(recordOf(await post({ input: 1, limits: {} })).limits).toEqual({
      queue_timeout_seconds: 60,
      start_timeout_seconds: 60,
      run_timeout_seconds: 60,
    });
  });

  test.each([
    [{ priority: 11 }, "#/priority"],
    [{ priority: -11 }, "#/priority"],
    [{ priority: 1.5 }, "#/priority"],
    [{ priority: "1" }, "#/priority"],
    [{ priority: null }, "#/priority"],
    [{ limits: 5 }, "#/limits"],
    [{ limits: { queue_timeout_seconds: 604_801 } }, "#/limits/queue_timeout_seconds"],
    [{ limits: { queue_timeout_seconds: 0 } }, "#/limits/queue_timeout_seconds"],
    [{ limits: { run_timeout_seconds: 61 } }, "#/limits/run_timeout_seconds"],
    [{ limits: { start_timeout_seconds: 61 } }, "#/limits/start_timeout_seconds"],
    [{ limits: { run_timeout: 1 } }, "#/limits"],
    [{ limits: { x: "y".repeat(9000) } }, "#/limits"],
  ])("that cannot be are refused, and where they stand is said: %j", async (options, pointer) => {
    const answer = await post({ input: 1, ...options });
    expect([answer.status, answer.json.code, answer.json.errors[0]?.pointer]).toEqual([
      422,
      "invalid_request",
      pointer,
    ]);
  });

  test("a number that is no number of JavaScript's is refused as such", async () => {
    for (const text of ["1e400", "12345678901234567890", "-0.5"]) {
      expect([text, (await post(`{"input":1,"priority":${text}}`)).status]).toEqual([text, 422]);
    }
  });
});

describe("an input by upload", () => {
  async function uploaded(text: string, key = api.own.key): Promise<string> {
    const answer = await call(`${api.url}/v1/uploads`, { key, body: text });
    return (recordOf(answer) as { upload_id: string }).upload_id;
  }

  test("is what was uploaded, byte for byte, as often as it is named, small or large", async () => {
    for (const text of [' {"a":1,"a":2} ', `"${"x".repeat(100_000)}"`]) {
      const input_upload_id = await uploaded(text);
      for (let n = 0; n < 2; n++) {
        const answer = await post({ input_upload_id });
        expect([answer.status, answer.json.input === text, answer.json.input_bytes]).toEqual([201, true, text.length]);
        expect((await inputOf(answer)) === text).toBe(true);
      }
    }
  });

  test("above 10 MiB is shown in the record by its size alone", async () => {
    const text = `"${"x".repeat(11 * 1024 * 1024)}"`;
    const answer = await post({ input_upload_id: await uploaded(text) });
    expect([answer.status, answer.json.input, answer.json.input_bytes]).toEqual([201, null, text.length]);
    const again = await call(`${api.url}/v1/tasks/${answer.json.task_id}`, { key: api.own.key });
    expect(again.json.input).toBeNull();
  });

  test("that is unknown, expired, forgotten or another team's is refused alike", async () => {
    const expired = await uploaded("1");
    const read = await api.store.get("uploads", expired);
    if (read === null) throw new Error("no upload");
    await api.store.commit([replace("uploads", read, { ...read.value, expiresAt: Date.now() })]);
    for (const input_upload_id of [newId(1), expired, await uploaded("1", api.other.key)]) {
      const answer = await post({ input_upload_id });
      expect([answer.status, answer.json.code]).toEqual([422, "upload_not_found"]);
    }
    expect((await post({ input_upload_id: "../x" })).json.code).toBe("invalid_request");
  });

  test("is known at once at another coordinator", async () => {
    await using second = await startSecondCoordinator(api);
    expect((await post({ input_upload_id: await uploaded("[7]") }, second)).json.input).toBe("[7]");
  });

  test("that is forgotten while the task is made makes none", async () => {
    await using second = await startSecondCoordinator(api);
    // Large enough to stay a blob, which a sweep could take.
    const input_upload_id = await uploaded(`"${"y".repeat(10_000)}"`);
    const commit = api.store.commit.bind(api.store);
    let raced = false;
    api.store.commit = async (changes, guard) => {
      const read = await second.store.get("uploads", input_upload_id);
      if (!raced && read !== null) {
        raced = true;
        await second.store.commit([remove("uploads", read)]);
      }
      return commit(changes, guard);
    };
    const answer = await post({ input_upload_id });
    api.store.commit = commit;
    expect([raced, answer.status, answer.json.code]).toEqual([true, 422, "upload_not_found"]);
  });
});

describe("an input by url", () => {
  let server: Server;
  let host: string;
  let listener: RequestListener;

  beforeEach(async () => {
    server = createServer((request, response) => listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("is fetched before the response, byte for byte, small or large", async () => {
    for (const text of ['{"n":1e400}', `["${"z".repeat(200_000)}"]`]) {
      listener = (_, response) => response.end(text);
      const answer = await post({ input_url: `${host}/input.json?x=1` });
      expect([answer.status, answer.json.input === text, answer.json.input_bytes]).toEqual([201, true, text.length]);
      expect((await inputOf(answer)) === text).toBe(true);
      const task = await api.store.get("tasks", answer.json.task_id);
      expect(task?.value.input.sha256).toBe(createHash("sha256").update(text).digest("hex"));
    }
  });

  test.each<readonly [string, RequestListener, number, string]>([
    ["404", (_, response) => response.writeHead(404).end("{}"), 422, "input_unreachable"],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/" }).end(), 422, "input_unreachable"],
    ["no HTTP", (request) => request.socket.end("nonsense"), 422, "input_unreachable"],
    ["nothing", (request) => request.socket.destroy(), 422, "input_unreachable"],
    [
      "half",
      (_, response) => response.writeHead(200, { "content-length": 9 }).write("[1", () => response.destroy()),
      422,
      "input_unreachable",
    ],
    ["no JSON", (_, response) => response.end("<html>"), 400, "not_json"],
    [
      "too much",
      (_, response) => response.writeHead(200, { "content-length": 2 ** 30 + 1 }).write("["),
      413,
      "input_too_large",
    ],
  ])("whose host responds with %s is refused", async (_, responses, status, code) => {
    listener = responses;
    const answer = await post({ input_url: host });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect((await call(`${api.url}/v1/tasks?phase=running`, { key: api.own.key })).json.total).toBe(0);
  });

  test("that leads inside is refused, whatever it is called", async () => {
    for (const input_url of [
      "http://10.0.0.1/",
      "http://169.254.169.254/latest/meta-data",
      "http://[::1]/",
      "https://user:password@example.com/",
      "file:///etc/passwd",
      "not a url",
      "",
    ]) {
      const answer = await post({ input_url });
      expect([input_url, answer.status, answer.json.code]).toEqual([input_url, 422, "input_unreachable"]);
    }
  });

  test("is not fetched for a service that accepts no task", async () => {
    let requested = false;
    listener = (_, response) => {
      requested = true;
      response.end("1");
    };
    const bare = await call(`${api.url}/v1/services`, { key: api.own.key, body: '{"service_name":"bare"}' });
    const answer = await call(bare.json.service_url, { key: api.own.key, body: JSON.stringify({ input_url: host }) });
    expect([answer.json.code, requested]).toEqual(["service_not_ready", false]);
  });

  test("makes no task for a client that went away meanwhile", async () => {
    const requested = Promise.withResolvers<void>();
    const hungUp = Promise.withResolvers<void>();
    listener = (request) => {
      request.socket.once("close", () => hungUp.resolve());
      requested.resolve();
    };
    const before = (await call(`${api.url}/v1/tasks`, { key: api.own.key })).json.total;
    const client = new AbortController();
    const posting = fetch(`${api.url}/v1/services/${serviceId}`, {
      method: "POST",
      body: JSON.stringify({ input_url: host }),
      headers: { "x-api-key": api.own.key, "content-type": "application/json" },
      signal: client.signal,
    });
    await requested.promise;
    client.abort();
    await expect(posting).rejects.toThrow();
    await hungUp.promise;
    expect((await call(`${api.url}/v1/tasks`, { key: api.own.key })).json.total).toBe(before);
  });
});

test("exactly one input is named", async () => {
  expect((await post({ priority: 1 })).json.code).toBe("input_missing");
  const input_upload_id = newId(1);
  for (const body of [
    { input: null, input_url: "https://example.com" },
    { input: 1, input_upload_id },
    { input_url: "https://example.com", input_upload_id },
  ]) {
    expect([body, (await post(body)).json.code]).toEqual([body, "invalid_request"]);
  }
});
