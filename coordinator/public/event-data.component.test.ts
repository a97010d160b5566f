/** What is sent to a webhook, from the record to the body that is signed. */
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Delivery, newDelivery } from "../domain/delivery.ts";
import { messageOf } from "../domain/delivery-message.ts";
import { aWebhook } from "../domain/testing/records.ts";
import type { EventType } from "../domain/webhook.ts";
import { call } from "../http/testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../http/testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "../http/testing/run-task.ts";
import { eventData } from "./event-data.ts";

interface Body {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly result_url: string };
}

let api: HttpFixture;
let serviceUrl: string;

beforeAll(async () => {
  api = await startHttpFixture();
  serviceUrl = `${api.url}/v1/services/${(await addReadyService(api.store, api.own)).id}`;
});
afterAll(() => api.close());

async function runningTask(): Promise<string> {
  const { json } = await call(serviceUrl, { key: api.own.key, body: '{"input":{"secret":1}}' });
  await claimTask(api, json.task_id);
  return json.task_id;
}

function aDelivery(type: EventType | "webhook.test", subjectId: string): Delivery {
  const webhook = aWebhook({ id: newId(1) }, { id: newId(2) });
  return newDelivery(newId(3), webhook, { type, subjectId, createdAt: Date.UTC(2026, 10, 21, 10, 0, 0, 123) });
}

async function bodyOf(delivery: Delivery): Promise<{ readonly body: Body; readonly bytes: number }> {
  const source = { ...api.options, publicUrl: () => api.url };
  const text = await messageOf(delivery, (one, bytesMax) => eventData(source, one, bytesMax));
  if (text === null) throw new Error("no payload");
  return { body: JSON.parse(text) as Body, bytes: Buffer.byteLength(text) };
}

async function bodyOfResult(result: string) {
  const id = await runningTask();
  await succeedTask(api, id, result);
  return { id, ...(await bodyOf(aDelivery("task.succeeded", id))) };
}

test("it is the task's record with its result, without its input", async () => {
  const { id, body } = await bodyOfResult('{"proof":"ä"}');
  const record = JSON.parse((await call(`${api.url}/v1/tasks/${id}`, { key: api.own.key })).text);
  expect(body).toMatchObject({ type: "task.succeeded", timestamp: "2026-11-21T10:00:00.123Z" });
  expect(body.data).toEqual({ ...record, input: null });
  expect(body.data).toMatchObject({ state: "SUCCESS", phase: "succeeded", result: '{"proof":"ä"}' });
});

test("the link in it opens without a key", async () => {
  const { body } = await bodyOfResult("proof");
  expect((await call(body.data.result_url)).text).toBe("proof");
});

test("the result is in it up to the last byte for which the body stays below 20 kB, and beyond that its link", async () => {
  const empty = (await bodyOfResult("")).bytes;
  // The two figures of its size may be four digits longer.
  const room = 19_999 - empty - 4;
  for (const bytes of [4_096, 4_097, room - 10, room]) {
    const { body, bytes: size } = await bodyOfResult("x".repeat(bytes));
    expect([bytes, size < 20_000, body.data.result_omitted]).toEqual([bytes, true, false]);
    expect(body.data.result).toHaveLength(bytes);
  }
  // The last has fewer characters than the body has bytes.
  const over = ["x".repeat(room + 5), "x".repeat(100_000), '"'.repeat(12_000), "ä".repeat(room / 2 + 5)];
  for (const result of over) {
    const { body, bytes: size } = await bodyOfResult(result);
    expect([size < 20_000, body.data.result, body.data.result_omitted]).toEqual([true, null, true]);
    expect((await call(body.data.result_url)).text).toBe(result);
  }
});

test("a failure has its reason, and no log that would not fit", async () => {
  const failed = async (logTail: string) => {
    const id = await runningTask();
    await failTask(api, id, { reason: "prover_error", message: "it broke", exitCode: 3, logTail });
    return await bodyOf(aDelivery("task.failed", id));
  };
  const short = await failed("line\n");
  expect(short.body.data).toMatchObject({
    state: "FAILURE",
    failure: { reason: "prover_error", exit_code: 3, log_tail: "line\n" },
    error: "it broke",
    result: null,
    result_url: null,
    result_omitted: false,
  });
  const long = await failed("✓".repeat(1_300));
  expect(long.body.data.failure).toMatchObject({ log_tail: "✓".repeat(1_300) });
  expect(long.bytes).toBeLessThan(20_000);
});

test("an event of a deployment has its record", async () => {
  const service = await addReadyService(api.store, api.own);
  const at = `${api.url}/v1/services/${service.id}/deployments/${service.currentDeploymentId}`;
  const record = JSON.parse((await call(at, { key: api.own.key })).text);
  const { body } = await bodyOf(aDelivery("deployment.ready", service.currentDeploymentId ?? ""));
  expect(body).toMatchObject({ type: "deployment.ready", data: { state: "Ready" } });
  expect(body.data).toEqual(record);
  await expect(bodyOf(aDelivery("deployment.failed", newId(9)))).rejects.toThrow("no payload");
});

test("a test event names its webhook, and an event whose subject is gone has no payload", async () => {
  const delivery = aDelivery("webhook.test", newId(2));
  expect((await bodyOf(delivery)).body.data).toEqual({
    webhook_id: delivery.webhookId,
    service_id: delivery.serviceId,
  });
  await expect(bodyOf(aDelivery("task.succeeded", newId(9)))).rejects.toThrow("no payload");
});
