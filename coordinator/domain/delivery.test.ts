import fc from "fast-check";
import { expect, test } from "vitest";
import { afterTry, type Delivery, drop, newDelivery, redeliver, type Tried } from "./delivery.ts";
import { TRIES_MAX } from "./delivery-schedule.ts";
import { aDelivery, aWebhook } from "./testing/records.ts";
import { disable, enable, liveSecrets, rotateSecret, wants } from "./webhook.ts";

const HOUR_MS = 3_600_000;
const webhook = aWebhook({ id: "4".repeat(32) });
const responded = (at: number, status: number, retryAfterMs: number | null = null): Tried => ({
  at,
  ms: 0,
  status,
  error: null,
  retryAfterMs,
});

/** Fails every try at once when it is due, and returns when that was. */
function failAll(
  first: Delivery,
  random: () => number,
): { readonly times: readonly number[]; readonly last: Delivery } {
  const times: number[] = [];
  let delivery = first;
  while (delivery.phase.kind === "pending") {
    times.push(delivery.phase.nextAt - first.createdAt);
    delivery = afterTry(delivery, responded(delivery.phase.nextAt, 500), random());
  }
  return { times, last: delivery };
}

test("ten tries go out at the times of Standard Webhooks, the last after 75 h 35 m", () => {
  const { times, last } = failAll(aDelivery(webhook), () => 0);
  const waits = times.map((time, index) => time - (times[index - 1] ?? 0));
  expect(waits.map((ms) => ms / 1000)).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(times.at(-1)).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000);
  expect(last.phase.kind).toBe("failed");
  expect(last.attempts).toHaveLength(TRIES_MAX);
});

test("chance makes a wait up to a tenth longer, never shorter", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 10 }), (chances) => {
      const plain = failAll(aDelivery(webhook), () => 0).times;
      let at = 0;
      const { times } = failAll(aDelivery(webhook), () => chances[at++] ?? 0);
      for (const [index, time] of times.entries()) {
        expect(time).toBeGreaterThanOrEqual(plain[index] ?? 0);
        expect(time).toBeLessThanOrEqual((plain[index] ?? 0) * 1.1 + 10);
      }
    }),
  );
});

test("a response of 2xx ends it, and nothing else does before the tries run out, but for 410", () => {
  const outcome = (tried: Partial<Tried>) =>
    afterTry(aDelivery(webhook), { ...responded(5_000, 200), ...tried }, 0).phase;
  expect(outcome({ status: 200, ms: 7 })).toEqual({ kind: "delivered", at: 5_007 });
  expect(outcome({ status: 204 }).kind).toBe("delivered");
  for (const status of [400, 401, 404, 429, 500, 503]) expect(outcome({ status }).kind).toBe("pending");
  expect(outcome({ status: 302, error: "redirected" }).kind).toBe("pending");
  expect(outcome({ status: null, error: "timeout" })).toEqual({ kind: "pending", tries: 1, nextAt: 10_000 });
  expect(outcome({ status: 410 }).kind).toBe("failed");
});

test("grants a receiver the time that it requests, up to a day, and never less than the schedule", () => {
  const next = (retryAfterMs: number) => {
    const { phase } = afterTry(aDelivery(webhook), responded(0, 429, retryAfterMs), 0);
    return phase.kind === "pending" ? phase.nextAt : null;
  };
  expect(next(1_000)).toBe(5_000);
  expect(next(90_000)).toBe(90_000);
  expect(next(1e12)).toBe(24 * HOUR_MS);
});

test("redelivers a waiting delivery at once and then by its schedule, and an ended one with one more try", () => {
  const waiting = afterTry(aDelivery(webhook), responded(1_000, 500), 0);
  expect(redeliver(waiting, 2_000).phase).toEqual({ kind: "pending", tries: 1, nextAt: 2_000 });
  const { last } = failAll(aDelivery(webhook), () => 0);
  for (const ended of [last, drop(last, "queue_full", 1), afterTry(aDelivery(webhook), responded(0, 200), 0)]) {
    const again = redeliver(ended, 9_000);
    expect(again.id).toBe(ended.id);
    const tried = afterTry(again, responded(9_000, 500), 0);
    expect(tried.phase.kind).toBe("failed");
    expect(tried.attempts.at(-1)).toMatchObject({ at: 9_000, status: 500 });
    expect(tried.attempts.length).toBeLessThanOrEqual(TRIES_MAX);
  }
  expect(() => afterTry(last, responded(0, 200), 0)).toThrow(/not pending/);
});

test("a test event is tried once", () => {
  const delivery = newDelivery("d", webhook, { type: "webhook.test", subjectId: webhook.id, createdAt: 5 });
  expect(afterTry(delivery, responded(5, 500), 0).phase.kind).toBe("failed");
});

test("after a rotation two secrets live for a day, and a further one leaves the newest two", () => {
  const once = rotateSecret(webhook, "second", 1_000);
  expect(liveSecrets(once, 2_000).map(({ sealed }) => sealed)).toEqual(["second", "sealed"]);
  expect(liveSecrets(once, 1_000 + 24 * HOUR_MS).map(({ sealed }) => sealed)).toEqual(["second"]);
  const twice = rotateSecret(once, "third", 2_000);
  expect(liveSecrets(twice, 3_000).map(({ sealed }) => sealed)).toEqual(["third", "second"]);
});

test("sends a disabled webhook nothing until it is enabled", () => {
  const disabled = disable(webhook, "gone", 5);
  expect(disable(disabled, "asked", 6).state).toEqual({ kind: "disabled", reason: "gone", at: 5 });
  expect([wants(webhook, "task.failed"), wants(disabled, "task.failed")]).toEqual([true, false]);
  expect(wants(enable(disabled), "task.failed")).toBe(true);
  expect(wants({ ...webhook, types: ["task.succeeded"] }, "task.failed")).toBe(false);
});
