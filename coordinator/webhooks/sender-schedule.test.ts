/** The sender on a virtual clock: what goes out when, over days. */
import { systemClock } from "@elastic/std/clock.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Delivery } from "../domain/delivery.ts";
import type { Egress } from "../egress/egress.ts";
import { replace } from "../store/change.ts";
import { Sender } from "./sender.ts";
import { type SenderFixture, startSenderFixture } from "./testing/sender-fixture.ts";

let fixture: SenderFixture;
let sender: Sender | null;
let aheadMs: number;
const clock = { now: () => systemClock.now() + aheadMs, monotonicMs: () => systemClock.monotonicMs() + aheadMs };

beforeEach(async () => {
  aheadMs = 0;
  fixture = await startSenderFixture();
  sender = null;
});
afterEach(async () => {
  await sender?.stop();
  await fixture[Symbol.asyncDispose]();
});

/** The requests to the egress, and when. */
function fakeEgress(status: () => number) {
  const sent: { readonly at: number; readonly id: string | undefined }[] = [];
  const egress: Pick<Egress, "request"> = {
    request: async (_url, { headers = {} }) => {
      sent.push({ at: clock.now(), id: headers["webhook-id"] });
      return { status: status(), headers: {}, body: (async function* () {})(), close: () => undefined };
    },
  };
  return { sent, egress };
}

/** Any change of a delivery makes the sender look at its clock. */
async function nudge(id: string): Promise<void> {
  const read = await fixture.store.get("deliveries", id);
  if (read === null) throw new Error("no delivery");
  await fixture.store.commit([replace("deliveries", read, read.value)]);
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

async function read(id: string): Promise<Delivery> {
  const delivery = await fixture.delivery(id);
  if (delivery === null) throw new Error("no delivery");
  return delivery;
}

test("sends what was waiting before it began", async () => {
  const { sent, egress } = fakeEgress(() => 200);
  const { webhook } = await fixture.addWebhook({});
  const id = await fixture.addDelivery(webhook);
  sender = new Sender(fixture.context({ egress, clock }), () => true);
  expect(sender.figures().pending).toBe(1);
  await expect.poll(async () => (await read(id)).phase.kind).toBe("delivered");
  expect(sent.map((one) => one.id)).toEqual([id]);
});

test("tries again what could not be tried", async () => {
  const { sent, egress } = fakeEgress(() => 200);
  const { webhook } = await fixture.addWebhook({});
  let requested = 0;
  const describe = async () => {
    if (requested++ === 0) throw new Error("the blobs are away");
    return "{}";
  };
  const own = new Sender(fixture.context({ egress, clock, describe }), () => true);
  sender = own;
  const id = await fixture.addDelivery(webhook);
  await expect.poll(() => requested).toBe(1);
  expect(own.figures().pending).toBe(1);
  aheadMs += 2_000;
  await nudge(id);
  await expect.poll(async () => (await read(id)).phase.kind, { timeout: 3_000 }).toBe("delivered");
  expect(sent.map((one) => one.id)).toEqual([id]);
});

test("a receiver that is away for days is tried ten times over 75 h 35 m, a tenth more at most, and then never again", async () => {
  const { sent, egress } = fakeEgress(() => 500);
  const { webhook } = await fixture.addWebhook({});
  sender = new Sender(fixture.context({ egress, clock }), () => true);
  const id = await fixture.addDelivery(webhook);
  for (let tries = 1; ; tries++) {
    await expect.poll(async () => (await read(id)).attempts.length).toBe(tries);
    const { phase } = await read(id);
    if (phase.kind !== "pending") break;
    aheadMs += phase.nextAt - clock.now() - 1_000;
    await nudge(id);
    expect(sent).toHaveLength(tries);
    aheadMs += 1_000;
    await nudge(id);
  }
  const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
  const waits = sent.slice(1).map(({ at }, index) => (at - (sent[index]?.at ?? 0)) / 1000);
  expect(waits).toHaveLength(schedule.length);
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(schedule[index] ?? 0);
    expect(wait).toBeLessThan((schedule[index] ?? 0) * 1.1 + 1);
  }
  expect(new Set(sent.map((one) => one.id))).toEqual(new Set([id]));
  expect((await read(id)).phase.kind).toBe("failed");
});

test("a receiver that is overloaded is tried with one delivery at a time, ever more seldom, and caught up with once it is back", async () => {
  let status = 503;
  const { sent, egress } = fakeEgress(() => status);
  const { webhook } = await fixture.addWebhook({});
  sender = new Sender(fixture.context({ egress, clock }), () => true);
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await fixture.addDelivery(webhook));
  const [last = ""] = ids.slice(-1);
  for (const [tries, holdMs] of [2_000, 4_000, 8_000, 16_000].entries()) {
    await expect.poll(() => sent.length).toBe(tries + 1);
    await nudge(last);
    expect(sent).toHaveLength(tries + 1);
    aheadMs += holdMs;
    await nudge(last);
  }
  status = 200;
  aheadMs += 3_600_000;
  await nudge(last);
  for (const id of ids) await expect.poll(async () => (await read(id)).phase.kind).toBe("delivered");
});
