import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDevCa } from "@elastic/deploy/dev-ca.ts";
import { afterAll, expect, test } from "vitest";
import type { EtcdFiles } from "../etcd-access.ts";
import { haveSameContents, readEtcdFiles } from "./etcd-files.ts";

const folder = mkdtempSync(join(tmpdir(), "etcd-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const authority = openDevCa(join(folder, "ca"));
const client = authority.client("coordinator");
const NONE: EtcdFiles = { ca: null, cert: null, key: null, passwordFile: null };
const DAYS_MS = 86_400_000;

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("reads the authority, the certificate with its key, and a password without the end of its line", () => {
  const passwordFile = file("password", "correct horse\n");
  const read = readEtcdFiles({ ...client, passwordFile }, new Date());
  expect(read.password).toBe("correct horse");
  expect(String(read.ca)).toContain("BEGIN CERTIFICATE");
  expect(String(read.identity?.key)).toContain("PRIVATE KEY");
  expect(haveSameContents(read, readEtcdFiles({ ...client, passwordFile }, new Date()))).toBe(true);
  expect(haveSameContents(read, readEtcdFiles({ ...client, passwordFile: file("other", "x") }, new Date()))).toBe(
    false,
  );
  expect(readEtcdFiles(NONE, new Date())).toEqual({ ca: null, identity: null, password: null });
});

test("names the setting of a file that cannot be used, and what to do", () => {
  const said = (files: Partial<EtcdFiles>, now = new Date()) => {
    return () => readEtcdFiles({ ...NONE, ...files }, now);
  };
  const other = authority.client("other");
  const text = file("text", "no PEM");
  expect(said({ ca: "/no/ca" })).toThrow(
    "ELASTIC_ETCD_CA: /no/ca does not exist: name a file that this program may read",
  );
  expect(said({ ca: text })).toThrow(/^ELASTIC_ETCD_CA: .*text holds no certificate/);
  expect(said({ cert: text, key: client.key })).toThrow(/^ELASTIC_ETCD_CERT: .*text holds no certificate/);
  expect(said({ cert: client.cert, key: text })).toThrow(/^ELASTIC_ETCD_KEY: .*text holds no private key/);
  expect(said({ cert: client.cert, key: other.key })).toThrow(
    /^ELASTIC_ETCD_KEY: .* does not belong to .*: name the key/,
  );
  expect(said(client, new Date(Date.now() + 60 * DAYS_MS))).toThrow(/^ELASTIC_ETCD_CERT: .* ended on .*: renew it/);
  expect(said({ passwordFile: file("empty", "\n") })).toThrow(/^ELASTIC_ETCD_PASSWORD_FILE: .*empty is empty/);
});
