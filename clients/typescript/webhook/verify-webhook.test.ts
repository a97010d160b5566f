import { signDelivery } from "@elastic/coordinator/webhooks/sign.ts";
import { expect, test } from "vitest";
import { signWebhook, verifyWebhook, type WebhookHeaders } from "./verify-webhook.ts";

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const NOW_MS = 1_800_000_000_000;
const BODY =
  '{"type":"webhook.test","timestamp":"2027-01-15T08:00:00.000Z","data":{"webhook_id":"w","service_id":"é"}}';
const SENT = { ...signDelivery("d1", NOW_MS, BODY, [KEY]) };

async function reasonOf(body: string, headers: WebhookHeaders, secret: string = SECRET, nowMs: number = NOW_MS) {
  return await verifyWebhook(body, headers, secret, { nowMs }).then(
    () => null,
    (error) => error.reason ?? error,
  );
}

test("what the service signs is its event, as text and as bytes, with headers of any kind", async () => {
  const event = { id: "d1", ...JSON.parse(BODY) };
  const { "webhook-signature": signature, ...others } = SENT;
  for (const headers of [SENT, new Headers({ ...SENT }), { ...others, "Webhook-Signature": [signature] }]) {
    expect(await verifyWebhook(BODY, headers, SECRET, { nowMs: NOW_MS })).toEqual(event);
    expect(await verifyWebhook(Buffer.from(BODY), headers, SECRET, { nowMs: NOW_MS })).toEqual(event);
  }
});

test("while secrets are rotated either of two accepts it", async () => {
  const both = { ...signDelivery("d1", NOW_MS, BODY, [Buffer.alloc(32, 8), KEY]) };
  expect(await reasonOf(BODY, both)).toBeNull();
  expect(await reasonOf(BODY, both, OTHER)).toBeNull();
  expect((await verifyWebhook(BODY, SENT, [OTHER, SECRET], { nowMs: NOW_MS })).id).toBe("d1");
});

test("what is not signed by the secret is rejected", async () => {
  expect(await reasonOf(`${BODY} `, SENT)).toBe("signature_invalid");
  expect(await reasonOf(BODY, SENT, OTHER)).toBe("signature_invalid");
  expect(await reasonOf(BODY, { ...SENT, "webhook-id": "d2" })).toBe("signature_invalid");
  const timestamp = String(NOW_MS / 1000 + 1);
  expect(await reasonOf(BODY, { ...SENT, "webhook-timestamp": timestamp })).toBe("signature_invalid");
  const { "webhook-signature": signature } = SENT;
  for (const other of ["v1,", "v1,???", "", signature.replace("v1,", "v2,"), signature.slice("v1,".length)]) {
    const reason = await reasonOf(BODY, { ...SENT, "webhook-signature": other });
    expect([other, reason]).toEqual([other, other === "" ? "header_missing" : "signature_invalid"]);
  }
});

test("what is older or newer than five minutes is rejected", async () => {
  expect(await reasonOf(BODY, SENT, SECRET, NOW_MS + 300_000)).toBeNull();
  expect(await reasonOf(BODY, SENT, SECRET, NOW_MS + 301_000)).toBe("timestamp_too_old");
  expect(await reasonOf(BODY, SENT, SECRET, NOW_MS - 301_000)).toBe("timestamp_too_new");
  expect(await reasonOf(BODY, { ...SENT, "webhook-timestamp": "1e9" })).toBe("timestamp_invalid");
});

test("headers that are missing, a body that is no event and a malformed secret are named", async () => {
  for (const name of Object.keys(SENT))
    expect(await reasonOf(BODY, { ...SENT, [name]: undefined })).toBe("header_missing");
  expect(await reasonOf("[1]", { ...signDelivery("d", NOW_MS, "[1]", [KEY]) })).toBe("body_invalid");
  for (const body of [
    "{}",
    '{"type":"webhook.test","timestamp":"t"}',
    '{"type":"webhook.test","timestamp":1,"data":{}}',
  ]) {
    expect(await reasonOf(body, { ...signDelivery("d", NOW_MS, body, [KEY]) })).toBe("body_invalid");
  }
  expect(await reasonOf("{", { ...signDelivery("d", NOW_MS, "{", [KEY]) })).toBe("body_invalid");
  await expect(verifyWebhook(BODY, SENT, "whsec_", { nowMs: NOW_MS })).rejects.toThrow(TypeError);
});

test("rejects options with which no request would be too old, as arguments that are invalid", async () => {
  const verify = (options: object) => verifyWebhook(BODY, SENT, SECRET, { nowMs: NOW_MS, ...options });
  for (const toleranceSeconds of [Number.NaN, -1, "300", null]) {
    await expect(verify({ toleranceSeconds })).rejects.toThrow("toleranceSeconds is not a number from 0");
  }
  for (const nowMs of [Number.NaN, Number.NEGATIVE_INFINITY, "now"]) {
    await expect(verify({ nowMs })).rejects.toThrow("nowMs is not a time in milliseconds");
  }
});

test("returns the id of the header, which is signed and deduplicated by, where the body has another one", async () => {
  const body = '{"id":"d2","type":"webhook.test","timestamp":"t","data":{}}';
  const sent = { ...signDelivery("d1", NOW_MS, body, [KEY]) };
  expect((await verifyWebhook(body, sent, SECRET, { nowMs: NOW_MS })).id).toBe("d1");
});

test("a receiver's test signs as the service does", async () => {
  expect(await signWebhook(BODY, { id: "d1", timestampMs: NOW_MS, secret: SECRET })).toEqual(SENT);
});
