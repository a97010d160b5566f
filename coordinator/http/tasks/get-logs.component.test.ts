import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { afterFailedAttempt } from "../../domain/retry.ts";
import { replace } from "../../store/change.ts";
import type { LogRef } from "../../task-logs/task-logs.ts";
import { call } from "../testing/call.ts";
import { expectHeadDescribed } from "../testing/conformance.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";

let api: HttpFixture;
const lines: { readonly level: number; readonly msg: string }[] = [];
beforeAll(async () => {
  api = await startHttpFixture(pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) }));
});
afterAll(async () => {
  await api.close();
  // Nothing that these tests do is an error of this side.
  expect(lines.filter(({ level }) => level > 40)).toEqual([]);
});

interface Logged {
  readonly ref: LogRef;
  readonly url: string;
  /** Writes at the end. */
  write(text: string): Promise<void>;
}

/** A task whose first attempt runs. */
async function runningTask(): Promise<Logged> {
  const logged = await queuedTask();
  await claimTask(api, logged.ref.taskId);
  return logged;
}

async function queuedTask(): Promise<Logged> {
  const service = await addReadyService(api.store, api.own);
  const posted = await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":1}' });
  const ref = { teamId: api.own.teamId, taskId: posted.json.task_id, attempt: 1 };
  const write = async (text: string) => {
    const { bytes } = (await api.logs.state(ref)) ?? { bytes: 0 };
    await api.logs.append(ref, bytes, Buffer.from(text));
  };
  return { ref, url: `${api.url}/v1/tasks/${ref.taskId}/logs`, write };
}

/** Follows and gathers. `text` waits until so much has come. */
async function follow(url: string, key = api.own.key) {
  const stop = new AbortController();
  const response = await fetch(`${url}${url.includes("?") ? "&" : "?"}follow=1`, {
    headers: { "x-api-key": key },
    signal: stop.signal,
  });
  await expectHeadDescribed(response);
  let come = "";
  const over = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) come += decoder.decode(chunk, { stream: true });
    return come;
  })();
  over.catch(() => undefined);
  return {
    headers: response.headers,
    over,
    has: (text: string) => expect.poll(() => come, { timeout: 10_000 }).toBe(text),
    leave: () => stop.abort(),
  };
}

describe("a log", () => {
  test("is returned as it is, from any byte on, and is never a page of this origin", async () => {
    const { url, write } = await runningTask();
    await write("one\n");
    await write("two\u001b[31m\n");
    const whole = await call(url, { key: api.own.key });
    expect([whole.status, whole.text]).toEqual([200, "one\ntwo\u001b[31m\n"]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "x-log-attempt": "1",
      "x-log-offset": "0",
    });
    const rest = await call(`${url}?offset=4&format=text`, { key: api.own.key });
    expect([rest.text, rest.headers.get("x-log-offset")]).toEqual(["two\u001b[31m\n", "4"]);
    expect((await call(`${url}?offset=4000`, { key: api.own.key })).text).toBe("");
  });

  test("longer than one piece is complete", async () => {
    const { url, write } = await runningTask();
    const text = Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join("");
    await write(text);
    expect((await call(url, { key: api.own.key })).text).toBe(text);
  });

  test("is that of the newest attempt unless another is named", async () => {
    const { ref, url, write } = await runningTask();
    await write("first");
    await failTask(api, ref.taskId, { reason: "gpu_fault" });
    await claimTask(api, ref.taskId);
    await api.logs.append({ ...ref, attempt: 2 }, 0, Buffer.from("second"));
    const newest = await call(url, { key: api.own.key });
    expect([newest.text, newest.headers.get("x-log-attempt")]).toEqual(["second", "2"]);
    expect((await call(`${url}?attempt=1`, { key: api.own.key })).text).toBe("first");
  });

  test("of an attempt that was not made is not found, and of a task that waits is empty", async () => {
    const { url } = await queuedTask();
    const empty = await call(url, { key: api.own.key });
    expect([empty.status, empty.text, empty.headers.get("x-log-attempt")]).toEqual([200, "", "1"]);
    const none = await call(`${url}?attempt=2`, { key: api.own.key });
    expect([none.status, none.json.code]).toEqual([404, "not_found"]);
    expect((await call(`${url}?attempt=3&follow=1`, { key: api.own.key })).status).toBe(404);
  });

  test("has one valid form of request only", async () => {
    const { url } = await queuedTask();
    for (const query of [
      "attempt=0",
      "attempt=x",
      "attempt=1.5",
      "offset=-1",
      "offset=9e99",
      "follow=yes",
      "format=json",
    ]) {
      const response = await call(`${url}?${query}`, { key: api.own.key });
      expect([query, response.status, response.json.code]).toEqual([query, 422, "invalid_request"]);
    }
  });

  test("needs the scope of reading tasks", async () => {
    const { url } = await queuedTask();
    const { userId, teamId: defaultTeamId } = api.own;
    const key = await addKey(api.store, { userId, defaultTeamId, scopes: ["tasks:write"] });
    expect((await call(url, { key })).json.code).toBe("scope_missing");
  });
});

describe("a log that is followed", () => {
  test("comes as it is written, and ends when its attempt is over and all of it has come", async () => {
    const { ref, url, write } = await runningTask();
    await write("one ");
    const following = await follow(url);
    expect(following.headers.get("x-log-attempt")).toBe("1");
    await following.has("one ");
    await write("two ");
    await following.has("one two ");
    await succeedTask(api, ref.taskId, "r");
    await write("three");
    await following.has("one two three");
    await api.logs.complete(ref);
    expect(await following.over).toBe("one two three");
  });

  test("resumes from the byte that a client had reached", async () => {
    const { ref, url, write } = await runningTask();
    await write("0123456789");
    const first = await follow(`${url}?attempt=1`);
    await first.has("0123456789");
    first.leave();
    const second = await follow(`${url}?attempt=1&offset=10`);
    await write("abc");
    await api.logs.complete(ref);
    await succeedTask(api, ref.taskId, "r");
    expect(await second.over).toBe("abc");
  });

  test("is found to have grown also by what another coordinator took", async () => {
    const { ref, url } = await runningTask();
    const listen = vi.spyOn(api.logs, "listen").mockReturnValue(() => undefined);
    const following = await follow(url);
    listen.mockRestore();
    await api.logs.append(ref, 0, Buffer.from("from elsewhere"));
    await following.has("from elsewhere");
    following.leave();
  });

  test("begins with a task that still waits, and ends with one that ends without an attempt", async () => {
    const { ref, url, write } = await queuedTask();
    const following = await follow(url);
    await claimTask(api, ref.taskId);
    await write("begun");
    await following.has("begun");
    following.leave();

    const other = await queuedTask();
    const inVain = await follow(other.url);
    await call(`${api.url}/v1/tasks/${other.ref.taskId}/cancel`, { key: api.own.key, method: "POST" });
    expect(await inVain.over).toBe("");
  });

  test("may be that of the attempt to come", async () => {
    const { ref, url } = await runningTask();
    const following = await follow(`${url}?attempt=2`);
    await failTask(api, ref.taskId, { reason: "gpu_fault" });
    await claimTask(api, ref.taskId);
    await api.logs.append({ ...ref, attempt: 2 }, 0, Buffer.from("again"));
    await following.has("again");
    following.leave();
  });

  test("of an attempt that ended long ago is returned and ends, whether complete or not", async () => {
    const { ref, url, write } = await runningTask();
    await write("cut off");
    const running = await api.store.get("tasks", ref.taskId);
    if (running === null) throw new Error("the task is there");
    const failure = { reason: "internal", message: "m", exitCode: null, logTail: "", runMs: 0 } as const;
    const longAgo = Date.now() - 60_000;
    const timeline = running.value.timeline.map((mark) => [mark[0] - 120_000, ...mark.slice(1)]) as never;
    const over = afterFailedAttempt({ ...running.value, timeline }, failure, longAgo);
    await api.store.commit([replace("tasks", running, over)]);
    expect(await (await follow(`${url}?attempt=1`)).over).toBe("cut off");
  });

  test("is cut when the key is revoked, and only so many may follow", async () => {
    const { url, write } = await runningTask();
    const { userId, teamId: defaultTeamId } = api.own;
    const key = await addKey(api.store, { userId, defaultTeamId, name: "soon revoked" });
    const following = await follow(url, key);
    const all = await Promise.all(Array.from({ length: 199 }, () => follow(url, key)));
    const one = await call(`${url}?follow=1`, { key });
    expect([one.status, one.json.code]).toEqual([429, "too_many_waits"]);
    for (const each of all) each.leave();

    const record = [...api.store.view.accessKeys.values()].find(({ value }) => value.name === "soon revoked");
    if (record === undefined) throw new Error("the key is there");
    await api.store.commit([replace("access-keys", record, { ...record.value, revokedAt: Date.now() })]);
    await write("secret");
    await expect(following.over).rejects.toThrow();
  });
});

test("a server that stops cuts its followers, so that none takes what came for all", async () => {
  const own = await startHttpFixture();
  const service = await addReadyService(own.store, own.own);
  const posted = await call(`${own.url}/v1/services/${service.id}`, { key: own.own.key, body: '{"input":1}' });
  await claimTask(own, posted.json.task_id);
  await own.logs.append({ teamId: own.own.teamId, taskId: posted.json.task_id, attempt: 1 }, 0, Buffer.from("x"));
  const following = await follow(`${own.url}/v1/tasks/${posted.json.task_id}/logs`, own.own.key);
  await following.has("x");
  const began = performance.now();
  await own.close();
  expect(performance.now() - began).toBeLessThan(2_000);
  await expect(following.over).rejects.toThrow();
});
