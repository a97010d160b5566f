/** The sender with the real way out, against receivers on this machine. */
import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { redeliver } from "../domain/delivery.ts";
import { disable, rotateSecret } from "../domain/webhook.ts";
import { answering, type Received, type Script, startReceiver } from "../egress/testing/receiver.ts";
import { newWebhookSecret } from "../secrets/webhook-secrets.ts";
import { remove, replace } from "../store/change.ts";
import { Sender } from "./sender.ts";
import { type SenderFixture, startSenderFixture } from "./testing/sender-fixture.ts";
import { tidy } from "./tidy-loop.ts";
import type { WebhookContext } from "./webhook-context.ts";

let fixture: SenderFixture;
let senders: Sender[];

beforeEach(async () => {
  fixture = await startSenderFixture();
  senders = [];
});
afterEach(async () => {
  for (const sender of senders) await sender.stop();
  await fixture[Symbol.asyncDispose]();
});

function startSender(more?: Partial<WebhookContext>): Sender {
  const sender = new Sender(fixture.context(more), () => true);
  senders.push(sender);
  return sender;
}

async function phaseOf(id: string): Promise<string | undefined> {
  return (await fixture.delivery(id))?.phase.kind;
}

function verify(secret: string, { body, headers }: Received): unknown {
  return new Verifier(secret).verify(body.toString(), headers as Record<string, string>);
}

describe("a delivery", () => {
  test("arrives as the public verifier wants it, and is then delivered", async () => {
    await using receiver = await startReceiver(answering(204));
    const { webhook, secret } = await fixture.addWebhook({ url: `${receiver.url}hooks?a=b` });
    startSender();
    const id = await fixture.addDelivery(webhook);
    await expect.poll(() => phaseOf(id)).toBe("delivered");
    const [got] = receiver.received;
    if (got === undefined) throw new Error("nothing arrived");
    expect(got).toMatchObject({
      path: "/hooks?a=b",
      headers: { "webhook-id": id, "content-type": "application/json" },
    });
    expect(verify(secret, got)).toEqual({
      type: "task.succeeded",
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      data: { n: 1 },
    });
    expect((await fixture.delivery(id))?.attempts).toEqual([
      { at: expect.any(Number), ms: expect.any(Number), status: 204, error: null, answer: null },
    ]);
  });

  test("that was made before the sender began is sent too", async () => {
    await using receiver = await startReceiver(answering(200));
    const { webhook } = await fixture.addWebhook({ url: receiver.url });
    const id = await fixture.addDelivery(webhook);
    startSender();
    await expect.poll(() => phaseOf(id)).toBe("delivered");
  });

  test("that is not accepted waits, and arrives under the same id at a new time when requested again", async () => {
    let status = 500;
    await using receiver = await startReceiver((_request, response) => void response.writeHead(status).end("secret"));
    const { webhook, secret } = await fixture.addWebhook({ url: receiver.url });
    startSender();
    const id = await fixture.addDelivery(webhook);
    await expect.poll(async () => (await fixture.delivery(id))?.attempts.length).toBe(1);
    expect((await fixture.delivery(id))?.phase).toMatchObject({ kind: "pending", tries: 1 });
    expect((await fixture.delivery(id))?.attempts[0]?.answer).toBe("secret");
    status = 200;
    const waiting = await fixture.store.get("deliveries", id);
    if (waiting === null) throw new Error("no delivery");
    await fixture.store.commit([replace("deliveries", waiting, redeliver(waiting.value, Date.now()))]);
    await expect.poll(() => phaseOf(id)).toBe("delivered");
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
    for (const got of receiver.received) verify(secret, got);
  });

  test("is signed with both secrets while one takes the other's place", async () => {
    await using receiver = await startReceiver(answering(200));
    const { webhook, secret } = await fixture.addWebhook({ url: receiver.url });
    const second = newWebhookSecret(fixture.secrets, webhook.id);
    const read = await fixture.store.get("webhooks", webhook.id);
    if (read === null) throw new Error("no webhook");
    await fixture.store.commit([replace("webhooks", read, rotateSecret(webhook, second.sealed, Date.now()))]);
    startSender();
    const id = await fixture.addDelivery(webhook);
    await expect.poll(() => phaseOf(id)).toBe("delivered");
    const [got] = receiver.received;
    if (got === undefined) throw new Error("nothing arrived");
    for (const one of [secret, second.text]) expect(verify(one, got)).toMatchObject({ data: { n: 1 } });
  });

  test("of what is gone meanwhile is dropped, and that of a deleted webhook goes with it", async () => {
    await using receiver = await startReceiver(answering(200));
    const { webhook } = await fixture.addWebhook({ url: receiver.url });
    startSender({ describe: async () => null });
    const id = await fixture.addDelivery(webhook);
    await expect.poll(async () => (await fixture.delivery(id))?.phase).toMatchObject({ reason: "subject_gone" });
    const read = await fixture.store.get("webhooks", webhook.id);
    if (read === null) throw new Error("no webhook");
    await fixture.store.commit([remove("webhooks", read)]);
    const orphan = await fixture.addDelivery(webhook);
    await expect.poll(() => fixture.delivery(orphan)).toBeNull();
    expect(receiver.connections()).toBe(0);
  });

  test("is not abandoned for a view that does not show the webhook yet, or still as disabled", async () => {
    await using receiver = await startReceiver(answering(200));
    const { webhook } = await fixture.addWebhook({ url: receiver.url });
    for (const seen of [null, disable(webhook, "asked", 0)]) {
      const sender = startSender({ store: fixture.behind(seen) });
      const id = await fixture.addDelivery(webhook);
      await expect.poll(() => phaseOf(id)).toBe("delivered");
      await tidy(fixture.context({ store: fixture.behind(seen) }));
      expect(await phaseOf(id)).toBe("delivered");
      await sender.stop();
    }
  });

  test("whose payload the store or the blobs could not provide was not attempted", async () => {
    await using receiver = await startReceiver(answering(200));
    const { webhook } = await fixture.addWebhook({ url: receiver.url });
    let requested = 0;
    const describe = async () => {
      if (requested++ === 0) throw new Error("the blobs are away");
      return "{}";
    };
    startSender({ describe });
    const id = await fixture.addDelivery(webhook);
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe("delivered");
    expect((await fixture.delivery(id))?.attempts).toHaveLength(1);
  });

  test("that arrived while the store was away is not sent again when it is back", async () => {
    await using receiver = await startReceiver((_request, response) => {
      fixture.kv.faults.away = true;
      response.writeHead(200).end();
    });
    const { webhook } = await fixture.addWebhook({ url: receiver.url });
    startSender();
    const id = await fixture.addDelivery(webhook);
    await expect.poll(() => receiver.received.length).toBe(1);
    fixture.kv.faults.away = false;
    await expect.poll(() => phaseOf(id), { timeout: 10_000 }).toBe("delivered");
    expect(receiver.received).toHaveLength(1);
  });

  test("that two send at the same time arrives under one id and is settled once", async () => {
    await using receiver = await startReceiver(answering(200));
    const { webhook } = await fixture.addWebhook({ url: receiver.url });
    startSender();
    startSender();
    const id = await fixture.addDelivery(webhook);
    await expect.poll(() => phaseOf(id)).toBe("delivered");
    await expect.poll(() => receiver.received.length).toBe(2);
    await Promise.all(senders.map((sender) => sender.stop()));
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
    expect((await fixture.delivery(id))?.attempts).toHaveLength(1);
  });
});

describe("a receiver", () => {
  async function attemptAt(script: Script) {
    await using receiver = await startReceiver(script);
    const { webhook } = await fixture.addWebhook({ url: receiver.url });
    startSender();
    const id = await fixture.addDelivery(webhook);
    await expect.poll(async () => (await fixture.delivery(id))?.attempts.length).toBe(1);
    return { webhook, delivery: await fixture.delivery(id) };
  }

  test("that is gone receives nothing more, and what waits for it is dropped", async () => {
    const { webhook, delivery } = await attemptAt(answering(410));
    expect(delivery?.phase.kind).toBe("failed");
    const state = () => fixture.store.view.webhooks.get(webhook.id)?.value.state;
    await expect.poll(state).toMatchObject({ kind: "disabled", reason: "gone" });
    const next = await fixture.addDelivery(webhook);
    await expect.poll(async () => (await fixture.delivery(next))?.phase).toMatchObject({ reason: "webhook_disabled" });
  });

  test("that redirects has not accepted it, and nothing is sent where it points", async () => {
    await using target = await startReceiver(answering(200));
    const { delivery } = await attemptAt(answering(307, { location: target.url }));
    expect(delivery?.attempts[0]).toMatchObject({ status: 307, error: "redirected" });
    expect(delivery?.phase.kind).toBe("pending");
    expect(target.connections()).toBe(0);
  });

  test("that requests a pause gets it", async () => {
    const { delivery } = await attemptAt(answering(429, { "retry-after": "3600" }));
    const [tried] = delivery?.attempts ?? [];
    const nextAt = delivery?.phase.kind === "pending" ? delivery.phase.nextAt : 0;
    expect(nextAt - (tried?.at ?? 0)).toBeGreaterThanOrEqual(3_600_000);
  });

  test("that accepts it and then responds without end has accepted it", async () => {
    const { delivery } = await attemptAt((_request, response) => {
      response.writeHead(200);
      const more = () => response.write("x".repeat(10_000), (error) => error || more());
      more();
    });
    expect(delivery?.phase.kind).toBe("delivered");
    expect(delivery?.attempts[0]?.answer).toBe("x".repeat(256));
  });
});

test("a name that leads elsewhere the next time is not followed there", async () => {
  const responses = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "169.254.169.254"]];
  let requested = 0;
  await using own = await startSenderFixture(async () => responses[requested++] ?? []);
  await using receiver = await startReceiver(answering(200));
  const { webhook } = await own.addWebhook({ url: `http://hooks.example:${receiver.port}/` });
  const sender = new Sender(own.context(), () => true);
  const errors: (string | null | undefined)[] = [];
  for (let n = 0; n < 3; n++) {
    const id = await own.addDelivery(webhook);
    await expect.poll(async () => (await own.delivery(id))?.attempts.length).toBe(1);
    errors.push((await own.delivery(id))?.attempts[0]?.error);
  }
  await sender.stop();
  expect(errors).toEqual([null, "scheme_refused", "scheme_refused"]);
  expect(receiver.connections()).toBe(1);
});

test("one receiver that never responds delays none of 99 others", async () => {
  await using healthy = await startReceiver(answering(200));
  let stuck = 0;
  await using tarPit = await startReceiver(() => stuck++);
  const webhooks = [await fixture.addWebhook({ url: tarPit.url })];
  for (let n = 0; n < 99; n++) webhooks.push(await fixture.addWebhook({ url: `${healthy.url}${n}` }));
  startSender();
  const ids: string[] = [];
  for (let round = 0; round < 5; round++) {
    for (const { webhook } of webhooks) ids.push(await fixture.addDelivery(webhook));
  }
  await expect.poll(() => healthy.received.length, { timeout: 15_000 }).toBe(99 * 5);
  // Far below the twenty seconds after which the tar pit is abandoned: nobody waited for it.
  const settled = async () => (await Promise.all(ids.map(phaseOf))).filter((phase) => phase === "delivered").length;
  await expect.poll(settled, { timeout: 5_000 }).toBe(99 * 5);
  const attempts = await Promise.all(ids.map(async (id) => await fixture.delivery(id)));
  const waits = attempts
    .flatMap((one) => (one?.phase.kind === "delivered" ? [one.phase.at - one.createdAt] : []))
    .sort((a, b) => a - b);
  expect(waits[Math.floor(waits.length * 0.99)]).toBeLessThan(10_000);
  expect([stuck, tarPit.received.length]).toEqual([1, 1]);
});

test("a sender that stops lets what it is sending arrive, and takes nothing more", async () => {
  const arrived = Promise.withResolvers<() => void>();
  await using receiver = await startReceiver((_request, response) => {
    arrived.resolve(() => response.writeHead(200).end());
  });
  const { webhook } = await fixture.addWebhook({ url: receiver.url });
  const sender = startSender();
  const first = await fixture.addDelivery(webhook);
  const answer = await arrived.promise;
  const stopped = sender.stop();
  const second = await fixture.addDelivery(webhook);
  answer();
  await stopped;
  expect([await phaseOf(first), await phaseOf(second)]).toEqual(["delivered", "pending"]);
});
