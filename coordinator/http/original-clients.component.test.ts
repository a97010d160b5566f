/**
 * Speaks as the clients of the original service do, with the strictness of their decoders: what they would not
 * understand fails here. They know three states, times without a zone, `detail` in whatever is refused, and pages.
 */
import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "./testing/run-task.ts";

let api: HttpFixture;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
  serviceId = (await addReadyService(api.store, api.own)).id;
});
afterAll(() => api.close());

interface CallResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** With the header spelled as they spell it: `fetch` would change it. */
function send(method: string, path: string, body?: object, key = api.own.key): Promise<CallResponse> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${api.url}${path}`,
      { method, headers: { "X-Api-Key": key, ...(text === undefined ? {} : { "Content-Type": "application/json" }) } },
      async (response) => {
        const pieces = await response.toArray();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString("utf8")) });
      },
    );
    request.once("error", reject).end(text);
  });
}

/** The agent's decoder: any other state, a time with a zone, or a null where a text must be is an error to it. */
function decodeTask({ status, body }: CallResponse) {
  if (status < 200 || status > 202) throw new Error(`status ${status}`);
  return {
    task_id: text(body.task_id),
    created: time(body.created),
    started: optional(body.started, time),
    finished: optional(body.finished, time),
    state: state(body.state),
    input: text(body.input),
    result: optional(body.result, text),
    error: optional(body.error, text),
  };
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new Error(`no text: ${JSON.stringify(value)}`);
  return value;
}

function time(value: unknown): number {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text(value))) throw new Error(`no such time: ${String(value)}`);
  return Date.parse(`${String(value)}Z`);
}

function state(value: unknown): "PENDING" | "SUCCESS" | "FAILURE" {
  if (value !== "PENDING" && value !== "SUCCESS" && value !== "FAILURE") throw new Error(`no state: ${String(value)}`);
  return value;
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

const INPUT = { private_input: [1, 2], public_input: "78532" };

async function created() {
  return decodeTask(await send("POST", `/v1/services/${serviceId}`, { input: INPUT, proof_type: "BUNDLE" }));
}

describe("the agent that has proofs made", () => {
  test("creates a task with an unknown key next to the input, and reads it until its end", async () => {
    const task = await created();
    expect(task).toMatchObject({ state: "PENDING", started: null, finished: null, result: null, error: null });
    expect(JSON.parse(task.input)).toEqual(INPUT);
    const read = async () => decodeTask(await send("GET", `/v1/tasks/${task.task_id}`));
    expect(await read()).toEqual(task);
    await claimTask(api, task.task_id);
    expect((await read()).state).toBe("PENDING");
    await succeedTask(api, task.task_id, "the proof");
    const done = await read();
    expect(done).toMatchObject({ state: "SUCCESS", result: "the proof", error: null });
    expect(done.started).toBeGreaterThanOrEqual(done.created);
    expect(done.finished).toBeGreaterThanOrEqual(done.started ?? Number.POSITIVE_INFINITY);
  });

  test.each(["prover_error", "run_timeout", "out_of_memory"] as const)(
    "reads a %s as a failure with its text",
    async (reason) => {
      const { task_id } = await created();
      await claimTask(api, task_id);
      await failTask(api, task_id, { reason, message: "it went wrong" });
      const task = decodeTask(await send("GET", `/v1/tasks/${task_id}`));
      expect(task).toMatchObject({ state: "FAILURE", error: "it went wrong", result: null });
      expect(task.finished).not.toBeNull();
    },
  );

  test("reads a cancelled, a retried and an expired task with the states that it knows", async () => {
    const cancelled = (await created()).task_id;
    decodeTask(await send("POST", `/v1/tasks/${cancelled}/cancel`));
    expect(decodeTask(await send("GET", `/v1/tasks/${cancelled}`)).state).toBe("FAILURE");
    const retried = (await created()).task_id;
    await claimTask(api, retried);
    await failTask(api, retried, { reason: "node_lost" });
    expect(decodeTask(await send("GET", `/v1/tasks/${retried}`)).state).toBe("PENDING");
  });

  test("finds a task again after a restart, by the id that it stored", async () => {
    const { task_id } = await created();
    expect(task_id).toMatch(/^[0-9a-f]{32}$/);
    expect(decodeTask(await send("GET", `/v1/tasks/${task_id}`)).task_id).toBe(task_id);
  });
});

test("the command-line tool pages through lists by page and size", async () => {
  for (let n = 0; n < 3; n++) await created();
  const seen: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body } = await send("GET", `/v1/tasks?page=${page}&size=2`);
    expect(status).toBe(200);
    const { items, total, size } = body as { items: Record<string, unknown>[]; total: number; size: number };
    pages = Number(body.pages);
    expect([body.page, size, pages]).toEqual([page, 2, Math.ceil(total / 2)]);
    seen.push(...items.map((item) => decodeTask({ status, body: item }).task_id));
  }
  expect(new Set(seen).size).toBe(seen.length);
  const { body } = await send("GET", "/v1/services?page=1&size=50");
  expect(body).toMatchObject({ items: expect.any(Array), total: 1, page: 1, size: 50, pages: 1 });
});

test("whatever is refused says why in a detail that is a text", async () => {
  const unknown = createHash("md5").update("x").digest("hex");
  for (const refused of [
    await send("GET", `/v1/tasks/${unknown}`),
    await send("GET", "/v1/nothing"),
    await send("GET", "/v1/tasks", undefined, "wrong"),
    await send("GET", "/v1/tasks?size=1000"),
    await send("DELETE", `/v1/tasks/${unknown}`),
    await send("POST", `/v1/services/${serviceId}`, { inputs: 1 }),
    await send("POST", `/v1/services/${unknown}`, { input: 1 }),
  ]) {
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(text(refused.body.detail)).not.toBe("");
  }
});
