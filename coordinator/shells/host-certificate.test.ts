import ssh2, { type ParsedKey } from "ssh2";
import { expect, test } from "vitest";
import { certifiedKey } from "./host-certificate.ts";
import { newKeyPair } from "./new-key-pair.ts";

const NOW_MS = 1_800_000_000_000;
const SHELL = "0199c0de8f3a7c1e9b2d4f6a8c0e1b3d";

/** Parts with a length before each, from a place on. */
function take(bytes: Buffer, count: number): readonly [parts: readonly Buffer[], rest: Buffer] {
  const parts: Buffer[] = [];
  let rest = bytes;
  for (let n = 0; n < count; n += 1) {
    const end = 4 + rest.readUInt32BE(0);
    parts.push(rest.subarray(4, end));
    rest = rest.subarray(end);
  }
  return [parts, rest];
}

test("certifies a new key for the name of one shell, a day either way, signed by the gateway", () => {
  const gateway = newKeyPair();
  const { hostKey, hostCertificate } = certifiedKey(Buffer.from(gateway.private), SHELL, NOW_MS);
  const [type, blob = ""] = hostCertificate.split(" ");
  const certificate = Buffer.from(blob, "base64");
  const [[named, nonce, key], afterKey] = take(certificate, 3);
  const [[, principals = Buffer.alloc(0)], afterNames] = take(afterKey.subarray(12), 2);
  const [[critical, extensions, , authority, signature = Buffer.alloc(0)], rest] = take(afterNames.subarray(16), 5);
  expect([type, String(named)]).toEqual(Array(2).fill("ssh-ed25519-cert-v01@openssh.com"));
  expect(nonce).toHaveLength(32);
  const own = ssh2.utils.parseKey(hostKey) as ParsedKey;
  expect(own.getPublicSSH().subarray(-32)).toEqual(key);
  expect(afterKey.readUInt32BE(8)).toBe(2);
  expect(take(principals, 1)[0].map(String)).toEqual([SHELL]);
  const [from, to] = [afterNames.readBigUInt64BE(0), afterNames.readBigUInt64BE(8)].map(Number);
  expect([from, to]).toEqual([NOW_MS / 1000 - 86_400, NOW_MS / 1000 + 86_400]);
  expect([critical, extensions, rest].map((part) => part?.length)).toEqual([0, 0, 0]);
  expect(authority?.toString("base64")).toBe(gateway.public.split(" ")[1]);
  const [[algorithm, bytes = Buffer.alloc(0)]] = take(signature, 2);
  const signed = certificate.subarray(0, certificate.length - signature.length - 4);
  expect(String(algorithm)).toBe("ssh-ed25519");
  expect((ssh2.utils.parseKey(gateway.public) as ParsedKey).verify(signed, bytes)).toBe(true);
});
