import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Delivery, DeliveryPhase } from "../domain/delivery.ts";
import { deleted } from "../domain/service.ts";
import { aDelivery, aNewService, aWebhook } from "../domain/testing/records.ts";
import type { Versioned } from "../domain/versioned.ts";
import { create, remove, replace } from "../store/change.ts";
import { type SenderFixture, startSenderFixture } from "./testing/sender-fixture.ts";
import { ENDED_KEPT_MAX, KEPT_MS, PENDING_MAX, tidyDeliveries } from "./tidy-deliveries.ts";
import { tidy } from "./tidy-loop.ts";

const NOW = 100 * KEPT_MS;
const webhook = aWebhook({ id: newId(1) });
const ended: DeliveryPhase = { kind: "delivered", at: 0 };

function many(count: number, phase: DeliveryPhase | null, from = NOW - 1_000_000): Versioned<Delivery>[] {
  return Array.from({ length: count }, (_, index) => {
    const delivery = aDelivery(webhook, { createdAt: from + index });
    return { value: phase === null ? delivery : { ...delivery, phase }, revision: 1 };
  });
}

const sent = (deliveries: readonly Versioned<Delivery>[], exists = true) =>
  tidyDeliveries(deliveries, exists, NOW).map((change) => [
    change.kind,
    "id" in change ? change.id : null,
    change.kind === "write" ? (change.value as Delivery).phase : null,
  ]);

test("of those that ended the newest thousand stay, for a week", () => {
  const few = many(ENDED_KEPT_MAX, ended);
  expect(sent(few)).toEqual([]);
  const [oldest, second, ...rest] = many(ENDED_KEPT_MAX + 2, ended);
  const [a, b] = sent([...rest, oldest, second].filter((one) => one !== undefined)).sort();
  expect([a, b]).toEqual([
    ["remove", oldest?.value.id, null],
    ["remove", second?.value.id, null],
  ]);
  const [old] = many(1, ended, NOW - KEPT_MS);
  expect(sent(old === undefined ? [] : [old])).toEqual([["remove", old?.value.id, null]]);
});

test("of those that wait the newest ten thousand stay, for a week", () => {
  const [oldest, ...rest] = many(PENDING_MAX + 1, null);
  if (oldest === undefined) throw new Error("none");
  expect(sent(rest)).toEqual([]);
  const dropped = (reason: string) => [["write", oldest.value.id, { kind: "dropped", at: NOW, reason }]];
  expect(sent([...rest, oldest])).toEqual(dropped("queue_full"));
  const old = { ...oldest, value: { ...oldest.value, createdAt: NOW - KEPT_MS } };
  expect(sent([old])).toEqual(dropped("too_old"));
});

test("of a webhook that was deleted all goes", () => {
  expect(sent([...many(2, null), ...many(2, ended)], false).map(([kind]) => kind)).toEqual(Array(4).fill("remove"));
});

let fixture: SenderFixture;
beforeEach(async () => {
  fixture = await startSenderFixture();
});
afterEach(() => fixture[Symbol.asyncDispose]());

test("records of deleted webhooks, and a week later of deleted services, are gone from the store", async () => {
  const { store } = fixture;
  let now = Date.now();
  const clock = { now: () => now, monotonicMs: () => now };
  const service = { ...aNewService(), id: newId(now) };
  await store.commit([create("services", deleted(service, now))]);
  const stored = await fixture.addWebhook({});
  const gone = await fixture.addWebhook({});
  const late = await fixture.addWebhook({ serviceId: service.id });
  for (const { webhook } of [stored, gone, gone, late]) await fixture.addDelivery(webhook);
  const read = await store.get("webhooks", gone.webhook.id);
  if (read !== null) await store.commit([remove("webhooks", read)]);
  const left = () => [...store.view.deliveries.values()].map(({ value }) => value.webhookId);
  await tidy(fixture.context({ clock }));
  expect(left()).toEqual([stored.webhook.id, late.webhook.id]);
  now += KEPT_MS;
  const [delivery] = store.view.deliveries.of(stored.webhook.id);
  if (delivery !== undefined) {
    const young = { ...delivery.value, createdAt: now };
    await store.commit([replace("deliveries", delivery, young)]);
  }
  await tidy(fixture.context({ clock }));
  await tidy(fixture.context({ clock }));
  expect(left()).toEqual([stored.webhook.id]);
  expect([...store.view.webhooks.values()].map(({ value }) => value.id)).toEqual([stored.webhook.id]);
});
