/** What goes out is taken by the public verifier, and nothing that was changed is. */
import { randomBytes } from "node:crypto";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, test } from "vitest";
import { signDelivery } from "./sign.ts";

const ID = "0193a0b0c0d0e0f00193a0b0c0d0e0f0";
const BODY = '{"type":"task.succeeded","timestamp":"2026-11-21T10:00:00.000Z","data":{"result":"ä ✓"}}';
const key = randomBytes(32);
const verifier = new Verifier(`whsec_${key.toString("base64")}`);
const now = Date.now();

test("the public verifier takes it", () => {
  expect(verifier.verify(BODY, { ...signDelivery(ID, now, BODY, [key]) })).toEqual(JSON.parse(BODY));
});

test("the public signer makes the same signature", () => {
  const { "webhook-signature": signature } = signDelivery(ID, now, BODY, [key]);
  expect(signature).toBe(verifier.sign(ID, new Date(now), BODY));
});

test("while a secret is rotated both verify, and no third", () => {
  const second = randomBytes(64);
  const headers = { ...signDelivery(ID, now, BODY, [second, key]) };
  expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
  for (const one of [key, second]) {
    expect(new Verifier(`whsec_${one.toString("base64")}`).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  }
  const third = new Verifier(`whsec_${randomBytes(32).toString("base64")}`);
  expect(() => third.verify(BODY, headers)).toThrow();
});

test("a flip of any one bit of body, id, time or signature is refused", () => {
  const headers = signDelivery(ID, now, BODY, [key]);
  const flipped = (text: string, index: number, bit: number) => {
    const bytes = Buffer.from(text);
    bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << bit), index);
    return bytes.toString("latin1");
  };
  let refused = 0;
  const refuse = (body: string, changed: object) => {
    expect(() => verifier.verify(body, { ...headers, ...changed })).toThrow();
    refused++;
  };
  for (let bit = 0; bit < 8; bit++) {
    for (let at = 0; at < Buffer.byteLength(BODY); at++) refuse(flipped(BODY, at, bit), {});
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"] as const) {
      // The signature's version and its comma too: an unknown version is no signature.
      for (let at = 0; at < headers[name].length; at++) refuse(BODY, { [name]: flipped(headers[name], at, bit) });
    }
  }
  expect(refused).toBeGreaterThan(8 * (Buffer.byteLength(BODY) + 32 + 10 + 40));
});

test("a copy that is sent again later than five minutes is refused", () => {
  expect(() => verifier.verify(BODY, { ...signDelivery(ID, now - 301_000, BODY, [key]) })).toThrow(/old/);
});
