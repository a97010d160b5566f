/** A store in an etcd of three members with mutual TLS and authentication. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDevCa } from "@elastic/deploy/dev-ca.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EtcdAccess } from "../etcd-access.ts";
import type { Kv, KvEvent } from "../kv.ts";
import { type SecuredEtcd, startSecuredEtcd } from "../testing/secured-etcd.ts";
import { connectEtcd } from "./etcd-kv.ts";

const SLOWLY = { timeout: 60_000 };
const FAILURES = 3;
/** More reports of progress than may be on their way when a member is frozen. */
const PROGRESS_SEEN = 4;
const log = createLog({ name: "test", level: "silent" });

let etcd: SecuredEtcd;

beforeAll(async () => {
  etcd = await startSecuredEtcd();
}, 60_000);
afterAll(() => etcd[Symbol.asyncDispose]());

function connect(access: EtcdAccess = etcd.access, endpoints = etcd.cluster.endpoints): Kv & AsyncDisposable {
  const kv = connectEtcd({ endpoints, access, log });
  return Object.assign(kv, { [Symbol.asyncDispose]: () => kv.close() });
}

let written = 0;

/** Whether a new key is found again. Rejects where writing or reading fails. */
async function writesAndReads(kv: Kv): Promise<boolean> {
  written += 1;
  const key = `/elastic/v1/test/${written}`;
  const value = Buffer.from(String(written));
  await kv.txn({ compares: [{ key, revision: 0 }], puts: [{ key, value }], deletes: [] });
  const { entries } = await kv.read([key]);
  return entries[0]?.value.equals(value) === true;
}

test("reads, writes, watches and renews a lease with a certificate and a password", SLOWLY, async () => {
  await using kv = connect();
  const seen: KvEvent[] = [];
  const watching = new AbortController();
  const listener = { onEvents: (events: readonly KvEvent[]) => void seen.push(...events), onProgress: () => {} };
  const { revision } = await kv.read(["/elastic/v1/test/none"]);
  const onBroken = (error: Error) => expect.unreachable(error.message);
  kv.watch("/elastic/v1/test/", revision + 1, { ...listener, onBroken }, watching.signal);
  expect(await writesAndReads(kv)).toBe(true);
  await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(1);
  const lease = await kv.lease(3000);
  const granted = lease.remainingMs();
  expect(granted).toBeGreaterThan(0);
  await expect.poll(() => lease.remainingMs() > granted - 500, { timeout: 10_000 }).toBe(true);
  watching.abort();
  await lease.revoke();
});

test("continues while one member is down, and logs in again at one that forgot its tokens", SLOWLY, async () => {
  await using kv = connect();
  for (const member of etcd.cluster.members) {
    await member.kill();
    await expect.poll(() => writesAndReads(kv), { timeout: 15_000 }).toBe(true);
    await member.start();
  }
  await expect.poll(() => writesAndReads(kv), { timeout: 15_000 }).toBe(true);
});

test("watches again at another member while one is frozen", SLOWLY, async () => {
  await using kv = connect();
  const watching = new AbortController();
  const seen = { progress: 0, silent: 0 };
  const listener = {
    onEvents: () => {},
    onProgress() {
      seen.progress += 1;
    },
    onBroken(error: Error) {
      if (error.message.includes("did not respond to")) seen.silent += 1;
      watch();
    },
  };
  const watch = () => kv.watch("/elastic/v1/test/", 1, listener, watching.signal);
  const progresses = () => expect.poll(() => seen.progress, { timeout: 15_000 }).toBeGreaterThan(PROGRESS_SEEN);
  watch();
  // By then every member knows the token, which a leader that is frozen at once may not have sent on.
  await progresses();
  for (const member of etcd.cluster.members) {
    await member.pause();
    Object.assign(seen, { progress: 0, silent: 0 });
    await progresses().finally(() => member.resume());
    expect(seen.silent).toBeLessThanOrEqual(1);
  }
  watching.abort();
});

test("reads from a member that was down and has forgotten the token", SLOWLY, async () => {
  const [member] = etcd.cluster.members;
  const [endpoint] = etcd.cluster.endpoints;
  if (member === undefined || endpoint === undefined) throw new Error("there are three members");
  await using kv = connect(etcd.access, [endpoint]);
  const read = () => kv.read(["/elastic/v1/test/1"]);
  await read();
  // One that is killed may learn its last tokens again from its log.
  await member.stop();
  for (let failed = 0; failed < FAILURES; failed++) await expect(read()).rejects.toThrow();
  await member.start();
  const atOnce = Array.from({ length: 8 }, () => expect.poll(read, { timeout: 15_000 }).toMatchObject({ entries: {} }));
  await Promise.all(atOnce);
});

test("watches and renews after every member has forgotten the token", SLOWLY, async () => {
  await using kv = connect();
  const lease = await kv.lease(20_000);
  for (const member of etcd.cluster.members) {
    await member.kill();
    await member.start();
  }
  const watching = new AbortController();
  const { promise: progressed, resolve } = Promise.withResolvers<number>();
  const watch = () =>
    kv.watch("/elastic/v1/test/", 1, { onEvents: () => {}, onProgress: resolve, onBroken: watch }, watching.signal);
  watch();
  expect(await progressed).toBeGreaterThan(0);
  watching.abort();
  await lease.revoke();
  expect(lease.remainingMs()).toBeLessThanOrEqual(0);
});

test("uses a replaced client certificate for new connections, without a restart", SLOWLY, async () => {
  const renewed = openDevCa(join(etcd.cluster.folder, "renewed-ca")).client("second");
  await using kv = connect();
  expect(await writesAndReads(kv)).toBe(true);
  etcd.cluster.trustClientsOf(renewed.ca);
  for (const member of etcd.cluster.members) {
    await member.kill();
    await member.start();
  }
  await expect(writesAndReads(kv)).rejects.toThrow();
  etcd.replaceClientCertificate(renewed);
  await expect.poll(() => writesAndReads(kv), { timeout: 15_000 }).toBe(true);
  await using fresh = connect();
  expect(await writesAndReads(fresh)).toBe(true);
});

test("refuses what etcd does not accept, and says why", SLOWLY, async () => {
  const failure = async (change: Partial<EtcdAccess["files"]>, user: string | null = etcd.access.user) => {
    await using kv = connect({ files: { ...etcd.access.files, ...change }, user });
    return await kv.read(["/elastic/v1/test/1"]).then(
      () => "none",
      (error: Error) => error.message,
    );
  };
  const foreign = openDevCa(join(etcd.cluster.folder, "foreign-ca")).client("foreign");
  const wrong = join(etcd.cluster.folder, "wrong-password");
  writeFileSync(wrong, "wrong");
  expect(await failure({ passwordFile: wrong })).toContain("authentication failed");
  expect(await failure({ passwordFile: null }, null)).toContain("permission denied");
  expect(await failure({ ca: foreign.ca })).toContain("certificate signature failure");
  expect(await failure({ cert: foreign.cert, key: foreign.key })).toContain("alert unknown ca");
  expect(await failure({ cert: null, key: null })).toContain("alert certificate required");
});
