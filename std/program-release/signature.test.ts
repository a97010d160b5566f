import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import {
  fingerprintOf,
  isSigned,
  newReleaseKey,
  pemOf,
  ReleaseKeyError,
  readReleaseKeys,
  readSigningKey,
  signatureOf,
} from "./signature.ts";

const BYTES = Buffer.from('{"version": "1.2.3"}\n');

test("accepts what one of the keys signed, and nothing else", () => {
  const [first, second, other] = [newReleaseKey(), newReleaseKey(), newReleaseKey()];
  const keys = readReleaseKeys(first.publicPem + second.publicPem);
  const signature = signatureOf(BYTES, readSigningKey(second.privatePem));
  expect(signature).toHaveLength(64);
  expect(isSigned(BYTES, signature, keys)).toBe(true);
  expect(isSigned(Buffer.from(` ${BYTES}`), signature, keys)).toBe(false);
  expect(isSigned(BYTES, signature.subarray(0, 63), keys)).toBe(false);
  expect(isSigned(BYTES, signature, [])).toBe(false);
  expect(isSigned(BYTES, signatureOf(BYTES, readSigningKey(other.privatePem)), keys)).toBe(false);
});

test("names both halves of a pair by one fingerprint", () => {
  const { privatePem, publicPem } = newReleaseKey();
  const [key] = readReleaseKeys(publicPem);
  expect(key).toBeDefined();
  if (key === undefined) return;
  expect(pemOf(key)).toBe(publicPem);
  expect(fingerprintOf(readSigningKey(privatePem))).toBe(fingerprintOf(key));
  expect(fingerprintOf(key)).toMatch(/^[0-9a-f]{64}$/);
});

test("refuses keys of other kinds, and texts that are none", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const privatePem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  for (const text of ["", "text", privatePem, pemOf(createPublicKey(privateKey)), newReleaseKey().privatePem]) {
    expect(() => readReleaseKeys(text)).toThrow(ReleaseKeyError);
  }
  for (const text of ["", privatePem, newReleaseKey().publicPem])
    expect(() => readSigningKey(text)).toThrow(ReleaseKeyError);
});
