import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StoreSpace } from "../store-space.ts";
import { EtcdCredentials } from "./etcd-credentials.ts";
import { connectEtcd, OPEN_ACCESS } from "./etcd-kv.ts";
import { EtcdSize } from "./etcd-size.ts";

const QUOTA_BYTES = 8 * 1024 * 1024;
const VALUE_BYTES = 128 * 1024;
/** Five eighths of the quota: etcd still accepts writes. */
const KEYS = (QUOTA_BYTES * 5) / 8 / VALUE_BYTES;

const log = createLog({ name: "test", level: "silent" });
let etcd: Etcd;
beforeAll(async () => {
  etcd = await startEtcd({ quotaBytes: QUOTA_BYTES });
});
afterAll(() => etcd[Symbol.asyncDispose]());

/** Of a real etcd with that quota; another than the one that is assumed where etcd reports none. */
function sizeOf({ endpoint }: Etcd): EtcdSize {
  const credentials = new EtcdCredentials({ ...OPEN_ACCESS, log });
  return new EtcdSize({ endpoints: [endpoint], credentials, quotaBytes: 1 });
}

test("finds a real etcd nearly full while it still accepts writes, and no longer once keys are removed and compacted", async () => {
  const size = sizeOf(etcd);
  const kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  const space = new StoreSpace({ thresholdPercent: 50, log });
  const isNearlyFull = async () => {
    // etcd counts at each commit of its database, some time after the write: as on a service, there is a next write.
    await kv.txn({ compares: [], puts: [{ key: "/small", value: Buffer.alloc(1) }], deletes: [] });
    space.measured(await size.measure());
    return space.isNearlyFull();
  };
  expect(await isNearlyFull()).toBe(false);

  const keys = Array.from({ length: KEYS }, (_, index) => `/large/${index}`);
  const value = Buffer.alloc(VALUE_BYTES);
  for (const key of keys) await kv.txn({ compares: [], puts: [{ key, value }], deletes: [] });
  await expect.poll(isNearlyFull, { timeout: 10_000 }).toBe(true);
  expect(space.size()?.quotaBytes).toBe(QUOTA_BYTES);

  const { revision } = await kv.txn({ compares: [], puts: [], deletes: keys });
  const body = JSON.stringify({ revision, physical: true });
  await fetch(`${etcd.endpoint}/v3/kv/compaction`, { method: "POST", body });
  await expect.poll(isNearlyFull, { timeout: 10_000 }).toBe(false);
  size.close();
  await kv.close();
});

test("measures again once etcd is back, and rejects while it is away", async () => {
  const size = sizeOf(etcd);
  await size.measure();
  await etcd.kill();
  await expect(size.measure()).rejects.toThrow();
  await etcd.start();
  await expect.poll(() => size.measure().catch(() => null)).toMatchObject({ quotaBytes: QUOTA_BYTES });
  size.close();
});
