import { afterEach, beforeEach, expect, test } from "vitest";
import { answering, type Receiver, startReceiver } from "../egress/testing/receiver.ts";
import { startSender } from "./sender-loop.ts";
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

test("it sends while its turn lasts, and what came meanwhile once it has its turn again", async () => {
  let epoch: number | null = 1;
  let notify = () => {};
  const leadership = {
    epoch: () => epoch,
    subscribe: (listener: () => void) => {
      notify = listener;
      return () => {};
    },
  };
  const { webhook } = await fixture.addWebhook({ url: receiver.url });
  const loop = startSender({ ...fixture.context(), leadership });
  const delivered = async (id: string) => (await fixture.delivery(id))?.phase.kind;
  const first = await fixture.addDelivery(webhook);
  await expect.poll(() => delivered(first)).toBe("delivered");

  epoch = null;
  notify();
  const second = await fixture.addDelivery(webhook);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect([await delivered(second), receiver.connections()]).toEqual(["pending", 1]);

  epoch = 2;
  notify();
  await expect.poll(() => delivered(second)).toBe("delivered");
  expect(receiver.connections()).toBe(2);
  await loop.stop();
});
