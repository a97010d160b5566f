import { newId } from "@elastic/std/ids.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { afterTry, type Delivery, newDelivery } from "../../domain/delivery.ts";
import { TRIES_MAX } from "../../domain/delivery-schedule.ts";
import { disable, type Webhook } from "../../domain/webhook.ts";
import { openEgress } from "../../egress/egress.ts";
import type { DeliveryRecord } from "../../public/delivery-record.ts";
import type { WebhookRecord } from "../../public/webhook-record.ts";
import { openWebhookSecrets } from "../../secrets/webhook-secrets.ts";
import { create, replace } from "../../store/change.ts";
import { signDelivery } from "../../webhooks/sign.ts";
import { type HttpServer, startHttp } from "../server.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const URL = "https://hooks.example/in?x=1";

let api: HttpFixture;
/** As it is when nothing is allowed besides what is public. */
let server: HttpServer;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
  server = await startHttp({ ...api.options, egress: openEgress({ allow: [] }) });
});
afterAll(async () => {
  await server.stop();
  await api.close();
});
beforeEach(async () => {
  serviceId = (await addReadyService(api.store, api.own)).id;
});

function send(method: string, path: string, body?: object, key = api.own.key): Promise<CallResponse> {
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  return call(`${server.url}/v1${path}`, { key, method, ...options });
}

/** The record of a response. */
function of<T>({ text }: CallResponse): T {
  return JSON.parse(text) as T;
}

type WithSecret = WebhookRecord & { readonly secret: string };

async function newWebhook(body: object = {}): Promise<WithSecret> {
  const response = await send("POST", `/services/${serviceId}/webhooks`, { name: "hook", url: URL, ...body });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return of<WithSecret>(response);
}

async function stored(id: string): Promise<{ readonly value: Webhook; readonly revision: number }> {
  const webhook = await api.store.get("webhooks", id);
  if (webhook === null) throw new Error("no webhook");
  return webhook;
}

function bytesBehind(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ""), "base64");
}

describe("a webhook", () => {
  test("is created with a secret that is shown once and is stored sealed", async () => {
    const { secret, ...record } = await newWebhook({ types: ["task.succeeded"] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(record).toEqual({
      webhook_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      service_id: serviceId,
      team_id: api.own.teamId,
      creator_id: api.own.userId,
      name: "hook",
      url: URL,
      types: ["task.succeeded"],
      enabled: true,
      disabled_reason: null,
      disabled: null,
      created: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/),
      old_secret_expires: null,
    });
    expect(of(await send("GET", `/webhooks/${record.webhook_id}`))).toEqual(record);
    expect(of<{ items: object[] }>(await send("GET", `/services/${serviceId}/webhooks`)).items).toEqual([record]);
    const { value } = await stored(record.webhook_id);
    expect(JSON.stringify(value)).not.toContain(secret.slice(6));
    expect(openWebhookSecrets(api.secrets, value, Date.now())).toEqual([bytesBehind(secret)]);
  });

  test("can be changed in any part, and what is left out stays", async () => {
    const { secret: _, ...made } = await newWebhook();
    const path = `/webhooks/${made.webhook_id}`;
    expect(of(await send("PATCH", path, {}))).toEqual(made);
    expect(of(await send("PATCH", path, { name: "other" }))).toEqual({ ...made, name: "other" });
    const url = "https://other.example/";
    expect(of(await send("PATCH", path, { url, types: [] }))).toEqual({ ...made, name: "other", url, types: [] });
    expect(of(await send("PATCH", path, { types: null }))).toMatchObject({ url, types: null });
    const disabled = of<WebhookRecord>(await send("PATCH", path, { enabled: false }));
    expect(disabled).toMatchObject({ enabled: false, disabled_reason: "asked", disabled: expect.any(String) });
    expect(of(await send("PATCH", path, { enabled: true }))).toMatchObject({ enabled: true, disabled_reason: null });
  });

  test("whose receiver is gone says so, and receives events again once it is enabled", async () => {
    const { webhook_id: id } = await newWebhook();
    const before = await stored(id);
    await api.store.commit([replace("webhooks", before, disable(before.value, "gone", Date.now()))]);
    expect(of(await send("GET", `/webhooks/${id}`))).toMatchObject({ enabled: false, disabled_reason: "gone" });
    expect((await send("POST", `/webhooks/${id}/test`)).json).toMatchObject({ status: 409, code: "webhook_disabled" });
    expect(of(await send("PATCH", `/webhooks/${id}`, { enabled: true }))).toMatchObject({ enabled: true });
    expect((await send("POST", `/webhooks/${id}/test`)).status).toBe(202);
  });

  test("gets a new secret while the one before lives on for a day", async () => {
    const { webhook_id: id, secret: first } = await newWebhook();
    const rotated = of<WithSecret>(await send("POST", `/webhooks/${id}/rotate-secret`));
    expect(rotated.secret).not.toBe(first);
    expect(rotated.old_secret_expires).toMatch(/^\d{4}-/);
    const { value } = await stored(id);
    const live = openWebhookSecrets(api.secrets, value, Date.now());
    expect(live).toEqual([bytesBehind(rotated.secret), bytesBehind(first)]);
    const headers = { ...signDelivery("d", Date.now(), "{}", live) };
    for (const secret of [first, rotated.secret]) expect(new Verifier(secret).verify("{}", headers)).toEqual({});
    expect(openWebhookSecrets(api.secrets, value, Date.now() + 25 * 3_600_000)).toHaveLength(1);
  });

  test("that is deleted is gone, and its deliveries with it", async () => {
    const { webhook_id: id } = await newWebhook();
    const test = of<DeliveryRecord>(await send("POST", `/webhooks/${id}/test`));
    expect((await send("DELETE", `/webhooks/${id}`)).status).toBe(204);
    const paths = [`/webhooks/${id}`, `/webhooks/${id}/deliveries`, `/deliveries/${test.delivery_id}`];
    for (const path of paths) expect([path, (await send("GET", path)).status]).toEqual([path, 404]);
    expect((await send("DELETE", `/webhooks/${id}`)).status).toBe(404);
  });

  test("is one of ten of a service, also when many are made at the same time", async () => {
    const path = `/services/${serviceId}/webhooks`;
    const responses = await Promise.all(Array.from({ length: 64 }, () => send("POST", path, { name: "n", url: URL })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(responses.filter(({ json }) => json.code === "quota_exceeded")).toHaveLength(54);
    expect([...api.store.view.webhooks.of(serviceId)]).toHaveLength(10);
  });

  test("of a service that was deleted cannot be made", async () => {
    await send("DELETE", `/services/${serviceId}`);
    const response = await send("POST", `/services/${serviceId}/webhooks`, { name: "n", url: URL });
    expect(response.json).toMatchObject({ status: 409, code: "service_deleted" });
  });

  test("needs a key with the scope for services", async () => {
    const { userId, teamId: defaultTeamId } = api.own;
    const reader = await addKey(api.store, { userId, defaultTeamId, scopes: ["tasks:read", "tasks:write"] });
    expect((await send("GET", `/services/${serviceId}/webhooks`, undefined, reader)).status).toBe(403);
  });
});

describe("what is refused", () => {
  test.each([
    ["http://hooks.example/", "is not https"],
    ["https://127.0.0.2:1@hooks.example/", "user name"],
    ["https://10.0.0.1/", "public address"],
    ["https://[::1]/", "public address"],
    ["https://169.254.169.254/latest/meta-data", "public address"],
    ["https://metadata.google.internal/", "public address"],
    ["https://localhost/", "public address"],
    ["https://hooks.example:22/", "port 443"],
    ["file:///etc/passwd", "is not https"],
    ["https://hooks.example/\r\nx: y", "valid"],
    [`https://hooks.example/${"x".repeat(10_000)}`, "too long"],
    ["", "valid"],
  ])("the URL %j, when it is made and when it is changed", async (url, sent) => {
    const { webhook_id: id } = await newWebhook();
    const responses = [
      await send("POST", `/services/${serviceId}/webhooks`, { name: "n", url }),
      await send("PATCH", `/webhooks/${id}`, { url }),
    ];
    for (const { json } of responses) {
      expect(json).toMatchObject({ status: 422, code: "url_refused", detail: expect.stringContaining(sent) });
      expect(json.errors).toEqual([{ pointer: "#/url", detail: json.detail }]);
    }
    expect((await stored(id)).value.url).toBe(URL);
  });

  test.each([
    [{ name: "" }, "#/name"],
    [{ name: "a\u001b[31m" }, "#/name"],
    [{ name: "a\r\nb" }, "#/name"],
    [{ name: "x".repeat(101) }, "#/name"],
    [{ name: 1 }, "#/name"],
    [{ url: 1 }, "#/url"],
    [{ types: ["task.created"] }, "#/types/0"],
    [{ types: [1] }, "#/types/0"],
    [{ secret: "whsec_mine" }, "#/secret"],
    [{ state: "enabled" }, "#/state"],
  ])("%j", async (part, pointer) => {
    const { webhook_id: id } = await newWebhook();
    for (const response of [
      await send("POST", `/services/${serviceId}/webhooks`, { name: "n", url: URL, ...part }),
      await send("PATCH", `/webhooks/${id}`, part),
    ]) {
      expect([response.status, response.json.errors?.map((error) => error.pointer)]).toEqual([422, [pointer]]);
    }
  });
});

describe("deliveries", () => {
  async function addDelivery(id: string, createdAt: number): Promise<Delivery> {
    const { value } = await stored(id);
    const event = { type: "task.succeeded", subjectId: "5".repeat(32), createdAt } as const;
    const delivery = newDelivery(newId(createdAt), value, event);
    await api.store.commit([create("deliveries", delivery)]);
    return delivery;
  }

  async function failTry(delivery: Delivery): Promise<void> {
    const read = await api.store.get("deliveries", delivery.id);
    if (read === null) throw new Error("no delivery");
    const tried = { at: 1_000_000, ms: 12, status: 503, error: null, answer: "<h1>busy", retryAfterMs: null };
    await api.store.commit([replace("deliveries", read, afterTry(read.value, tried, 0))]);
  }

  test("are listed, newest first, with what their attempts came to, by state and by page", async () => {
    const { webhook_id: id } = await newWebhook();
    const first = await addDelivery(id, 1_000);
    const second = await addDelivery(id, 2_000);
    await failTry(first);
    const path = `/webhooks/${id}/deliveries`;
    const list = of<{ items: DeliveryRecord[]; total: number }>(await send("GET", path));
    expect(list.items.map((one) => one.delivery_id)).toEqual([second.id, first.id]);
    expect(list.items[1]).toEqual({
      delivery_id: first.id,
      webhook_id: id,
      service_id: serviceId,
      type: "task.succeeded",
      task_id: "5".repeat(32),
      deployment_id: null,
      build_id: null,
      state: "pending",
      drop_reason: null,
      created: "1970-01-01T00:00:01",
      next_attempt: "1970-01-01T00:16:45",
      ended: null,
      attempts: [{ at: "1970-01-01T00:16:40", duration_ms: 12, status: 503, error: null, answer: "<h1>busy" }],
    });
    expect(of<typeof list>(await send("GET", `${path}?size=1&page=2`)).items).toEqual([list.items[1]]);
    expect(of<typeof list>(await send("GET", `${path}?state=failed`)).total).toBe(0);
    expect((await send("GET", `${path}?state=nonsense`)).status).toBe(422);
    // The task that it is about is gone, so that there is nothing to post.
    expect(of(await send("GET", `/deliveries/${first.id}`))).toEqual({ ...list.items[1], request: null });
  });

  test("that failed are listed, with all others and alone, until one more attempt is requested", async () => {
    const { webhook_id: id } = await newWebhook();
    const [failed, waiting] = [await addDelivery(id, 1_000), await addDelivery(id, 2_000)];
    for (let tries = 0; tries < TRIES_MAX; tries++) await failTry(failed);
    const idsOf = async (query: string) =>
      of<{ items: DeliveryRecord[] }>(await send("GET", `/webhooks/${id}/deliveries${query}`)).items.map(
        ({ delivery_id }) => delivery_id,
      );
    expect([await idsOf(""), await idsOf("?state=failed")]).toEqual([[waiting.id, failed.id], [failed.id]]);
    const again = of<DeliveryRecord>(await send("POST", `/deliveries/${failed.id}/redeliver`));
    expect(again).toMatchObject({ delivery_id: failed.id, state: "pending", ended: null });
    expect(await idsOf("?state=failed")).toEqual([]);
    await failTry(failed);
    expect(await idsOf("?state=failed")).toEqual([failed.id]);
  });

  test("are read with what is posted, by a key that may read tasks", async () => {
    const { webhook_id: id, url } = await newWebhook();
    const { delivery_id } = of<DeliveryRecord>(await send("POST", `/webhooks/${id}/test`));
    const { userId, teamId } = api.own;
    const deployer = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services"] });
    const path = `${api.url}/v1/deliveries/${delivery_id}`;
    const { request } = JSON.parse((await call(path, { key: api.own.key })).text);
    const headers = { "content-type": "application/json", "user-agent": "elastic-webhooks", "webhook-id": delivery_id };
    expect(request).toEqual({ url, headers, body: expect.any(String) });
    expect(JSON.parse(request.body)).toMatchObject({ type: "webhook.test", data: { webhook_id: id } });
    expect(JSON.parse((await call(path, { key: deployer })).text).request).toBeNull();
  });

  test("can be requested again under the same id, unless their webhook is disabled", async () => {
    const { webhook_id: id } = await newWebhook();
    const delivery = await addDelivery(id, 1_000);
    await failTry(delivery);
    const before = Date.now();
    const response = await send("POST", `/deliveries/${delivery.id}/redeliver`);
    expect([response.status, of<DeliveryRecord>(response).delivery_id]).toEqual([202, delivery.id]);
    const again = (await api.store.get("deliveries", delivery.id))?.value.phase;
    expect(again).toEqual({ kind: "pending", tries: 1, nextAt: expect.any(Number) });
    expect(again?.kind === "pending" && again.nextAt >= before).toBe(true);
    await send("PATCH", `/webhooks/${id}`, { enabled: false });
    const refused = await send("POST", `/deliveries/${delivery.id}/redeliver`);
    expect(refused.json).toMatchObject({ status: 409, code: "webhook_disabled" });
  });

  test("of a test are due at once and tried once", async () => {
    const { webhook_id: id } = await newWebhook({ types: [] });
    const response = await send("POST", `/webhooks/${id}/test`);
    expect(of(response)).toMatchObject({ type: "webhook.test", state: "pending", task_id: null, attempts: [] });
    expect(response.headers.get("location")).toBe(
      `${server.url}/v1/deliveries/${of<DeliveryRecord>(response).delivery_id}`,
    );
  });
});
