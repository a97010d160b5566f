import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSecrets } from "../secrets/secrets.ts";
import { authorityBundle, registryAuthorities } from "./authority.ts";

let dir: string;
let keyFile: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "authority-"));
  keyFile = join(dir, "keys");
});

afterEach(() => rmSync(dir, { recursive: true }));

function authorities() {
  return registryAuthorities(openSecrets({ keyFile }));
}

function certificates(): readonly X509Certificate[] {
  const pems = authorityBundle(authorities()).split(/(?<=END CERTIFICATE-----\n)/);
  return pems.map((pem) => new X509Certificate(pem));
}

function text(key: KeyObject | undefined): string {
  return String(key?.export({ type: "spki", format: "pem" }));
}

test("all who have the key file are the same authority, and it vouches for itself", () => {
  const [certificate, ...more] = certificates();
  expect(more).toEqual([]);
  expect(certificate).toMatchObject({ ca: true, subject: authorities()[0]?.name.replace(/^/, "CN=") });
  expect(certificate?.issuer).toBe(certificate?.subject);
  expect(certificate?.verify(certificate.publicKey)).toBe(true);
  expect(text(certificate?.publicKey)).toBe(text(certificates()[0]?.publicKey));
});

test("a new master key is another authority, and the old one is still among the certificates", () => {
  const [before] = certificates();
  writeFileSync(join(dir, "fresh"), `${Buffer.alloc(32, 7).toString("hex")}\n${readFileSync(keyFile, "utf8")}`);
  keyFile = join(dir, "fresh");
  const [first, second] = certificates();
  expect(text(second?.publicKey)).toBe(text(before?.publicKey));
  expect(text(first?.publicKey)).not.toBe(text(before?.publicKey));
  expect(first?.subject).not.toBe(second?.subject);
  const key = authorities()[0]?.key;
  expect(text(key && createPublicKey(key))).toBe(text(first?.publicKey));
});

test("whatever the key file holds gives a key, and the file is not to be had from it", () => {
  for (let fill = 0; fill < 50; fill++) {
    const derived = [Buffer.alloc(48, fill === 0 ? 0xff : fill)];
    const [authority] = registryAuthorities({ derive: () => derived });
    expect(authority?.key.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  }
  expect(authorityBundle(authorities())).not.toContain(readFileSync(keyFile, "utf8").trim());
});
