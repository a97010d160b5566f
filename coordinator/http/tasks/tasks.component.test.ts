import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Service } from "../../domain/service.ts";
import { type CallResponse, call, type ResponseBody } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";

const ID = /^[0-9a-f]{32}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

let api: HttpFixture;
let service: Service;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());
beforeEach(async () => {
  service = await addReadyService(api.store, api.own);
});

function post(input: string, body = `{"input":${input}}`): Promise<CallResponse> {
  return call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body });
}

function get(path: string): Promise<CallResponse> {
  return call(`${api.url}/v1/tasks/${path}`, { key: api.own.key });
}

async function created(input = "{}"): Promise<string> {
  const response = await post(input);
  expect(response.status).toBe(201);
  return response.json.task_id;
}

async function succeeded(result: string, input = "{}"): Promise<string> {
  const id = await created(input);
  await claimTask(api, id);
  await succeedTask(api, id, result);
  return id;
}

describe("a new task", () => {
  test("is returned as the record of the specification, PENDING with nulls", async () => {
    const input = '{"private_input":[1,2],"public_input":"78532"}';
    const response = await post(input);
    expect(response.status).toBe(201);
    expect(response.headers.get("location")).toBe(`${api.url}/v1/tasks/${response.json.task_id}`);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.json).toEqual({
      task_id: expect.stringMatching(ID),
      service_id: service.id,
      service_name: "prover",
      team_id: api.own.teamId,
      creator_id: api.own.userId,
      state: "PENDING",
      phase: "queued",
      created: expect.stringMatching(TIMESTAMP),
      started: null,
      finished: null,
      phase_since: response.json.created,
      attempt: 0,
      progress: null,
      waiting: { reason: "no_such_machine", message: "the fleet has no machine for it" },
      priority: 0,
      canary_of: null,
      limits: { queue_timeout_seconds: 60, start_timeout_seconds: 60, run_timeout_seconds: 60 },
      failure: null,
      error: null,
      input,
      input_bytes: input.length,
      result: null,
      result_bytes: null,
      result_url: null,
      result_omitted: false,
      expires_at: null,
      result_expired: false,
    });
    expect((await get(response.json.task_id)).json).toEqual(response.json);
  });

  test("keeps its input byte for byte", async () => {
    const input = '{"n":12345678901234567890,"a":1,"a":2,"x":1e400,"t":"\\ud800 é \\u00e9"}';
    const response = await post(input, `{ "proof_type" : 1, "input" :\n ${input} , "more":[] }`);
    expect(response.json.input).toBe(input);
    expect((await api.store.bytes("input", response.json.task_id))?.toString()).toBe(input);
  });

  test("with a large input is in blobs, and the input is still returned completely", async () => {
    const text = `"${"é😀\\n".repeat(30_000)}${randomBytes(30_000).toString("base64")}"`;
    const response = await post(text);
    expect(response.json.input).toBe(text);
    expect(response.json.input_bytes).toBe(Buffer.byteLength(text));
    expect((await get(response.json.task_id)).json).toEqual(response.json);
    const task = await api.store.get("tasks", response.json.task_id);
    expect(task?.value.input.where).toBe("blob");
    expect(await api.blobs.has(api.own.teamId, task?.value.input.sha256 ?? "")).toBe(true);
    expect(await api.store.bytes("input", response.json.task_id)).toBeNull();
  });

  test("takes an input of exactly 10 MiB, and one more byte is too much", async () => {
    const input = `"${"x".repeat(10 * 1024 * 1024 - 2)}"`;
    const response = await post(input);
    expect(response.status).toBe(201);
    expect(response.json.input === input).toBe(true);
    const more = await post(`${input.slice(0, -1)}x"`);
    expect([more.status, more.json.code]).toEqual([413, "input_too_large"]);
  });

  test("names fields of the record in vain: nothing is copied from the body", async () => {
    const response = await post(
      "{}",
      '{"input":{},"state":"SUCCESS","result":"x","creator_id":"y","team_id":"z","task_id":"w"}',
    );
    expect(response.json).toMatchObject({ state: "PENDING", result: null, creator_id: api.own.userId });
  });

  test("follows the client's request id into the record", async () => {
    const response = await call(`${api.url}/v1/services/${service.id}`, {
      key: api.own.key,
      body: '{"input":1}',
      headers: { "x-request-id": "from-the-client.1" },
    });
    expect(response.headers.get("x-request-id")).toBe("from-the-client.1");
    expect((await api.store.get("tasks", response.json.task_id))?.value.requestId).toBe("from-the-client.1");
    const noId = await call(`${api.url}/healthz`, { headers: { "x-request-id": "a b\tc" } });
    expect(noId.headers.get("x-request-id")).toMatch(ID);
  });
});

describe("a task that ended", () => {
  test("with success has result, started and finished", async () => {
    const id = await succeeded('the "proof" é');
    const { json } = await get(id);
    expect(json).toMatchObject({
      state: "SUCCESS",
      phase: "succeeded",
      result: 'the "proof" é',
      result_bytes: 14,
      started: expect.stringMatching(TIMESTAMP),
      finished: expect.stringMatching(TIMESTAMP),
      attempt: 1,
      failure: null,
      error: null,
    });
    expect(json.created <= json.started && json.started <= json.finished).toBe(true);
  });

  test("without success has the failure, and the message as the original's clients read it", async () => {
    const id = await created();
    await claimTask(api, id);
    await failTask(api, id, {
      reason: "out_of_memory",
      message: "killed at 2 GiB",
      exitCode: 137,
      logTail: "last log line",
    });
    expect((await get(id)).json).toMatchObject({
      state: "FAILURE",
      phase: "failed",
      result: null,
      result_url: null,
      error: "killed at 2 GiB",
      failure: {
        reason: "out_of_memory",
        message: "killed at 2 GiB",
        retryable: false,
        attempts: 1,
        exit_code: 137,
        log_tail: "last log line",
      },
    });
  });

  test("stays PENDING with nulls between attempts", async () => {
    const id = await created();
    await claimTask(api, id);
    expect((await get(id)).json).toMatchObject({ state: "PENDING", phase: "running", started: null, attempt: 1 });
    await failTask(api, id, { reason: "node_lost" });
    expect((await get(id)).json).toMatchObject({ state: "PENDING", phase: "queued", error: null, failure: null });
  });
});

describe("?wait=", () => {
  test("responds as soon as the task has ended", async () => {
    const id = await created();
    const waiting = get(`${id}?wait=30`);
    await claimTask(api, id);
    await succeedTask(api, id, "done");
    expect((await waiting).json).toMatchObject({ state: "SUCCESS", result: "done" });
    expect((await get(`${id}?wait=300`)).json.result).toBe("done");
  });

  test("responds with the task as it is when the time is over", async () => {
    const id = await created();
    const before = performance.now();
    expect((await get(`${id}?wait=1`)).json.state).toBe("PENDING");
    expect(performance.now() - before).toBeGreaterThan(900);
    expect((await get(`${id}?wait=0`)).json.state).toBe("PENDING");
  });

  test("takes whole seconds from 0 to 300 only", async () => {
    const id = await created();
    for (const wait of ["301", "-1", "1.5", "x", "", "1&wait=2", "00001", "1e2"]) {
      const response = await get(`${id}?wait=${wait}`);
      expect([wait, response.status, response.json.code]).toEqual([wait, 422, "invalid_request"]);
    }
  });

  test("of an unknown task is not waited for", async () => {
    expect((await get(`${"0".repeat(32)}?wait=300`)).status).toBe(404);
  });
});

describe("the result", () => {
  test("is served as bytes that no browser takes for a page", async () => {
    const html = "<script>alert(1)</script>";
    const response = await get(`${await succeeded(html)}/result`);
    expect(response.text).toBe(html);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-length": String(html.length),
      "content-disposition": expect.stringMatching(/^attachment/),
    });
  });

  test("opens by its url without a header, and by nothing but that url", async () => {
    const id = await succeeded("proof");
    const url: string = (await get(id)).json.result_url;
    expect(url.startsWith(`${api.url}/v1/tasks/${id}/result?`)).toBe(true);
    const opened = await call(url);
    expect([opened.status, opened.text]).toEqual([200, "proof"]);
    const other = await succeeded("other");
    for (const wrong of [
      url.replace(id, other),
      `${url}A`,
      url.replace(/expires=\d/, "expires=9"),
      url.split("&")[0] ?? "",
    ]) {
      expect((await call(wrong)).status).toBe(401);
    }
    expect((await call(url.split("?")[0] ?? "")).json.code).toBe("key_missing");
  });

  test("has a link that says when it has expired", async () => {
    const id = await succeeded("proof");
    const past = Math.floor(Date.now() / 1000) - 1;
    const signature = api.secrets.sign("result-url", `${id}.${past}`);
    const response = await call(`${api.url}/v1/tasks/${id}/result?expires=${past}&signature=${signature}`);
    expect([response.status, response.json.code]).toEqual([410, "link_expired"]);
  });

  test("that is large is streamed, and in the record up to 8 MiB", async () => {
    const large = "0123456789abcdef".repeat(8 * 64 * 1024);
    const id = await succeeded(large);
    expect((await get(`${id}/result`)).text === large).toBe(true);
    const { json } = await get(id);
    expect([json.result === large, json.result_omitted]).toEqual([true, false]);
    const larger = await succeeded(`${large}!`);
    expect((await get(larger)).json).toMatchObject({
      state: "SUCCESS",
      result: null,
      result_bytes: large.length + 1,
      result_omitted: true,
    });
    expect((await get(`${larger}/result`)).text.length).toBe(large.length + 1);
  });

  test("is not there before the end, nor after a failure", async () => {
    const id = await created();
    expect((await get(`${id}/result`)).json).toMatchObject({ status: 409, code: "task_pending" });
    await claimTask(api, id);
    await failTask(api, id, {});
    expect((await get(`${id}/result`)).json).toMatchObject({ status: 409, code: "task_without_result" });
  });
});

describe("cancelling", () => {
  function cancel(id: string): Promise<CallResponse> {
    return call(`${api.url}/v1/tasks/${id}/cancel`, { key: api.own.key, method: "POST" });
  }

  test("ends a queued and a running task, twice with the same response", async () => {
    for (const isRunning of [false, true]) {
      const id = await created();
      if (isRunning) await claimTask(api, id);
      const first = await cancel(id);
      expect([first.status, first.json.cancelled, first.json.phase]).toEqual([200, true, "cancelled"]);
      expect(first.json).toMatchObject({ state: "FAILURE", failure: { reason: "cancelled" }, result: null });
      expect((await cancel(id)).json).toEqual(first.json);
      expect((await get(id)).json).toMatchObject({ phase: "cancelled" });
    }
  });

  test("leaves a task alone that has ended", async () => {
    const id = await succeeded("proof");
    expect((await cancel(id)).json).toMatchObject({ cancelled: false, state: "SUCCESS", result: "proof" });
  });

  test("and success never both hold", async () => {
    const id = await created();
    await claimTask(api, id);
    const [response] = await Promise.all([cancel(id), succeedTask(api, id, "proof")]);
    const { json } = await get(id);
    expect(json.phase).toBe(response.json.cancelled ? "cancelled" : "succeeded");
  });
});

describe("the list", () => {
  function list(query: string): Promise<CallResponse> {
    return call(`${api.url}/v1/tasks?service_id=${service.id}&${query}`, { key: api.own.key });
  }

  test("comes in pages, newest first, and by cursor", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await created());
    // Ids are in the order of time, and in any order within a millisecond.
    ids.sort().reverse();
    const first = (await list("size=2")).json;
    expect(first).toMatchObject({ total: 5, page: 1, size: 2, pages: 3 });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(idsOf((await list("size=2&page=3")).json)).toEqual(ids.slice(4));
    const seen = [...idsOf(first)];
    // A task that comes while the list is read does not shift what a cursor reads.
    await created();
    for (let cursor = first.next_cursor; cursor !== null; ) {
      const page = (await list(`size=2&cursor=${cursor}`)).json;
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test("filters by state, and leaves out what is longer than 4 KiB", async () => {
    const long = await succeeded("r".repeat(5000), `"${"i".repeat(5000)}"`);
    const short = await succeeded("r", '"i"');
    await created();
    const { json } = await list("state=SUCCESS");
    expect(idsOf(json)).toEqual([short, long]);
    expect(json.items[0]).toEqual((await get(short)).json);
    expect(json.items[1]).toMatchObject({
      input: null,
      input_bytes: 5002,
      result: null,
      result_bytes: 5000,
      result_omitted: true,
    });
    expect((await list("state=PENDING")).json.total).toBe(1);
    expect((await list("state=FAILURE")).json.total).toBe(0);
  });

  test("refuses what it does not understand", async () => {
    for (const query of ["size=0", "size=101", "page=0", "page=x", "state=success", "cursor=x", "size=1&size=2"]) {
      expect([query, (await list(query)).status]).toEqual([query, 422]);
    }
  });

  function idsOf(page: ResponseBody): string[] {
    return page.items.map((item) => item.task_id);
  }
});

describe("a service that cannot take a task", () => {
  test("says why", async () => {
    const created = await call(`${api.url}/v1/services`, { key: api.own.key, body: '{"service_name":"fresh"}' });
    const response = await call(created.json.service_url, { key: api.own.key, body: '{"input":1}' });
    expect([response.status, response.json.code]).toEqual([409, "service_not_ready"]);
    expect(response.json.detail).toBe(
      "Nothing is deployed to the service yet. Deploy an image to it, then send the task again.",
    );
    await call(created.json.service_url, { key: api.own.key, method: "DELETE" });
    const deleted = await call(created.json.service_url, { key: api.own.key, body: '{"input":1}' });
    expect([deleted.status, deleted.json.code]).toEqual([409, "service_not_ready"]);
    expect(deleted.json.detail).toMatch(/was deleted/);
  });
});
