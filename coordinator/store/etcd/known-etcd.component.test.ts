/** A connection to a real etcd whose data are replaced meanwhile. */
import { rmSync } from "node:fs";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StoreIdentity } from "../identity/store-identity.ts";
import { META_KEY } from "../keys.ts";
import { type Kv, type Lease, StoreChangedError, StoreUnavailableError } from "../kv.ts";
import { connectEtcd } from "./etcd-kv.ts";

const log = createLog({ name: "test", level: "silent" });
const KEY = "/elastic/v1/records/x";

let etcd: Etcd;
let identity: StoreIdentity;
let kv: Kv;
beforeEach(async () => {
  etcd = await startEtcd();
  identity = new StoreIdentity();
  kv = connectEtcd({ endpoints: [etcd.endpoint], identity, log });
  for (let n = 0; n < 5; n++) await put(kv);
});
afterEach(async () => {
  await kv.close();
  await etcd[Symbol.asyncDispose]();
});

const put = (to: Kv) => to.txn({ compares: [], puts: [{ key: KEY, value: Buffer.from("x") }], deletes: [] });

/** Its first answer that is not of an etcd that is away. */
async function firstAnswer<T>(call: () => Promise<T>): Promise<T | Error> {
  for (;;) {
    const answer = await call().catch((error: Error) => error);
    if (!(answer instanceof StoreUnavailableError) || answer instanceof StoreChangedError) return answer;
  }
}

async function empty(): Promise<void> {
  await etcd.kill();
  rmSync(etcd.dataDir, { recursive: true });
  await etcd.start();
}

test("never acknowledges a write into an emptied etcd, and rejects every call from then on", async () => {
  await empty();
  expect(await firstAnswer(() => put(kv))).toBeInstanceOf(StoreChangedError);
  expect(identity.changed()?.message).toMatch(/went back from 6 to \d/);
  await expect(kv.read([KEY])).rejects.toThrow(StoreChangedError);
  await expect(kv.range("/elastic/", { limit: 1 })).rejects.toThrow(StoreChangedError);
  await expect(kv.lease(5000)).rejects.toThrow(StoreChangedError);
});

test("notices by a watch alone, breaks it, and ends leases at once", async () => {
  const lease: Lease = await kv.lease(60_000);
  const stopping = new AbortController();
  const broken: Error[] = [];
  const watch = (): void => {
    const onBroken = (error: Error) => {
      broken.push(error);
      if (!(error instanceof StoreChangedError) && !stopping.signal.aborted) setImmediate(watch);
    };
    kv.watch("/elastic/", 7, { onEvents: () => undefined, onProgress: () => undefined, onBroken }, stopping.signal);
  };
  watch();
  await empty();
  await expect.poll(() => broken.at(-1), { timeout: 10_000 }).toBeInstanceOf(StoreChangedError);
  expect(lease.remainingMs()).toBeLessThanOrEqual(0);
  stopping.abort();
});

test("learns that a later version takes other programs alone, and rejects every call from then on", async () => {
  const meta = { epoch: 1, blobStoreId: "b", schemaVersion: 2, schemaMinimum: 2 };
  identity.belongsTo(meta);
  await kv.txn({ compares: [], puts: [{ key: META_KEY, value: Buffer.from(JSON.stringify(meta)) }], deletes: [] });
  const stopping = new AbortController();
  const watch = { onEvents: () => undefined, onProgress: () => undefined, onBroken: () => undefined };
  kv.watch("/elastic/", 1, watch, stopping.signal);
  // A stream that breaks is cause for the check that is otherwise made every ten seconds.
  await etcd.kill();
  await etcd.start();
  await expect.poll(() => identity.changed()?.message, { timeout: 12_000 }).toMatch(/takes programs that know 2/);
  await expect(put(kv)).rejects.toThrow(StoreChangedError);
  await expect(kv.read([KEY])).rejects.toThrow(StoreChangedError);
  stopping.abort();
});

test("stays with an etcd that was killed and restarted on its data", async () => {
  const revision = identity.revision();
  await etcd.kill();
  await etcd.start();
  expect(await firstAnswer(() => put(kv))).toMatchObject({ applied: true });
  expect(identity.revision()).toBeGreaterThan(revision);
  expect(identity.changed()).toBeNull();
});
