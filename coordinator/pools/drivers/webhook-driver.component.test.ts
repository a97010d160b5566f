/** Calls of a driver behind a real HTTP server. */
import { createHmac } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { aPool, aPoolMachine } from "../../domain/testing/records.ts";
import { openEgress } from "../../egress/egress.ts";
import { answering, type Receiver, type Script, startReceiver } from "../../egress/testing/receiver.ts";
import { DriverError, orderText } from "./driver-order.ts";
import { webhookDriver } from "./webhook-driver.ts";

const LOOPBACK = { kind: "range", range: { base: [127, 0, 0, 0], prefixBits: 8 } } as const;
const KEY = Buffer.from("k".repeat(32));

let receiver: Receiver | null = null;
afterEach(() => receiver?.[Symbol.asyncDispose]());

async function callOf(script: Script, call: "grow" | "shrink" = "grow") {
  receiver = await startReceiver(script);
  const pool = aPool({ driver: { kind: "webhook", url: `${receiver.url}pools`, secret: { sealed: "sealed" } } });
  const machine = aPoolMachine(pool);
  const driver = webhookDriver({
    egress: openEgress({ allow: [LOOPBACK] }),
    secrets: {
      open: (sealed, context) => (sealed === "sealed" && context === "pool-secret/h100" ? KEY : Buffer.alloc(0)),
    },
    clock: { now: () => 1_700_000_000_500 },
    timeoutMs: 300,
  });
  const order = { call, id: machine.id, body: orderText(call, pool, machine) };
  return { machine, response: driver(pool, order, new AbortController().signal) };
}

test("posts a signed request with the same id each time, and reads the machine's name", async () => {
  const { machine, response } = await callOf(answering(200, {}, '{"machine":"i-0abc","zone":"a"}'));
  expect(await response).toEqual({ machine: "i-0abc" });
  const [got] = receiver?.received ?? [];
  const body = String(got?.body);
  expect(JSON.parse(body)).toMatchObject({
    call: "grow",
    request_id: machine.id,
    pool: "h100",
    offer: { gpu_count: 1 },
  });
  const signed = `${machine.id}.grow.1700000000.${body}`;
  expect(got?.headers).toMatchObject({
    "webhook-id": `${machine.id}.grow`,
    "webhook-timestamp": "1700000000",
    "webhook-signature": `v1,${createHmac("sha256", KEY).update(signed).digest("base64")}`,
  });
});

test("fails where the driver responds with an error, names no machine, or breaks off", async () => {
  const failures: readonly (readonly [Script, RegExp])[] = [
    [answering(500, {}, "no capacity"), /it responded with 500: no capacity/],
    [answering(200, {}, "{}"), /in place of \{"machine"/],
    [answering(200, {}, '{"machine":"; rm -rf /"}'), /in place of \{"machine"/],
    [answering(302, { location: "https://elsewhere.example/" }), /redirected/],
    [(_, response) => void response.destroy(), /broken/],
    [(_, response) => void response.writeHead(200).end("x".repeat(20_000)), /too_large/],
  ];
  for (const [script, why] of failures) {
    const { response } = await callOf(script);
    await expect(response).rejects.toThrow(why);
    await expect(response).rejects.toBeInstanceOf(DriverError);
    await receiver?.[Symbol.asyncDispose]();
  }
});

test("fails where the driver does not respond in time", async () => {
  const { response } = await callOf(() => undefined);
  await expect(response).rejects.toThrow("timeout");
});

test("has a machine removed by its name, whatever the body of the response is", async () => {
  const { response } = await callOf(answering(204), "shrink");
  expect(await response).toEqual({ machine: null });
});
