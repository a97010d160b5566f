/** Of several coordinators one sends, and another takes over. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { answering, type Receiver, startReceiver } from "../egress/testing/receiver.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { startWebhooks } from "./start-webhooks.ts";
import { type SenderFixture, startSenderFixture } from "./testing/sender-fixture.ts";

let fixture: SenderFixture;
let receiver: Receiver;

beforeEach(async () => {
  fixture = await startSenderFixture();
  receiver = await startReceiver(answering(200));
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
});

test("of many coordinators one sends each delivery, and another continues when it stops", async () => {
  const parts = [0, 1, 2].map(() => {
    const kv = memoryKv(fixture.memory);
    return { kv, webhooks: startWebhooks({ ...fixture.context(), kv }) };
  });
  const { webhook } = await fixture.addWebhook({ url: receiver.url });
  const ids: string[] = [];
  const addSome = async () => {
    for (let n = 0; n < 50; n++) ids.push(await fixture.addDelivery(webhook));
  };
  const delivered = async () => {
    const phases = await Promise.all(ids.map(async (id) => (await fixture.delivery(id))?.phase.kind));
    return phases.filter((phase) => phase === "delivered").length;
  };
  await addSome();
  await expect.poll(delivered, { timeout: 10_000 }).toBe(50);
  for (const { kv, webhooks } of parts) {
    await webhooks.stop();
    await kv.close();
    if (kv === parts.at(-1)?.kv) break;
    await addSome();
    await expect.poll(delivered, { timeout: 10_000 }).toBe(ids.length);
  }
  expect(receiver.received).toHaveLength(ids.length);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(ids));
});

test("what waits, and how late it is, stands in the metrics of the one that sends", async () => {
  const metrics = createMetrics();
  const webhooks = startWebhooks({ ...fixture.context({ metrics }), kv: fixture.kv });
  const { webhook } = await fixture.addWebhook({ url: receiver.url });
  const scrape = () => metrics.registry.metrics();
  await fixture.addDelivery(webhook);
  await expect.poll(scrape, { timeout: 10_000 }).toContain('elastic_webhook_deliveries_total{outcome="delivered"} 1');
  const text = await scrape();
  expect(text).toContain('elastic_webhook_try_seconds_count{outcome="taken"} 1');
  expect(text).toContain("elastic_webhook_pending_deliveries 0");
  expect(text).toContain("elastic_webhook_late_seconds 0");
  await webhooks.stop();
});
