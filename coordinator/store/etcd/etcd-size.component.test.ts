import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectEtcd } from "./etcd-kv.ts";
import { EtcdSize } from "./etcd-size.ts";

/** As deploy/local/etcd.ts starts it. */
const QUOTA_BYTES = 4 * 1024 ** 3;

let etcd: Etcd;
beforeAll(async () => {
  etcd = await startEtcd();
});
afterAll(() => etcd[Symbol.asyncDispose]());

test("measures what is in use of a real etcd, and its quota", async () => {
  const size = new EtcdSize({ endpoints: [etcd.endpoint], quotaBytes: QUOTA_BYTES });
  const kv = connectEtcd({ endpoints: [etcd.endpoint], log: createLog({ name: "test", level: "silent" }) });
  const before = await size.measure();
  expect(before.quotaBytes).toBe(QUOTA_BYTES);
  for (let n = 0; n < 20; n++) {
    await kv.txn({ compares: [], puts: [{ key: `/large/${n}`, value: Buffer.alloc(64 * 1024) }], deletes: [] });
  }
  await expect.poll(async () => (await size.measure()).inUseBytes).toBeGreaterThan(before.inUseBytes + 1024 * 1024);
  size.close();
  await kv.close();
});

test("measures again once etcd is back, and rejects while it is away", async () => {
  const size = new EtcdSize({ endpoints: [etcd.endpoint], quotaBytes: QUOTA_BYTES });
  await size.measure();
  await etcd.kill();
  await expect(size.measure()).rejects.toThrow();
  await etcd.start();
  await expect.poll(() => size.measure().catch(() => null)).toMatchObject({ quotaBytes: QUOTA_BYTES });
  size.close();
});
