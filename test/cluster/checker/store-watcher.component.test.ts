import { encodeRecord } from "@elastic/coordinator/store/codec.ts";
import { recordKey } from "@elastic/coordinator/store/keys.ts";
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Etcd, startEtcd } from "../etcd.ts";
import { compact, readEtcdSize } from "../etcd-size.ts";
import { startStoreWatcher } from "./store-watcher.ts";

let etcd: Etcd;
beforeAll(async () => {
  etcd = await startEtcd();
});
afterAll(() => etcd[Symbol.asyncDispose]());

test("receives each write once, over a kill of etcd and a compaction of what it has", async () => {
  await putTask("a");
  const received: string[] = [];
  const watcher = startStoreWatcher(etcd.endpoint, ({ taskId }) => received.push(taskId));
  await putTask("b");
  await expect.poll(() => received).toEqual(["a", "b"]);
  await etcd.kill();
  await etcd.start();
  await compact(etcd.endpoint, (await readEtcdSize(etcd.endpoint)).revision);
  await putTask("c");
  await expect.poll(() => received).toEqual(["a", "b", "c"]);
  await putTask("d");
  await watcher.stop();
  expect(received).toEqual(["a", "b", "c", "d"]);
});

test("fails where a compaction has overtaken it", async () => {
  await putTask("e");
  await compact(etcd.endpoint, (await readEtcdSize(etcd.endpoint)).revision);
  const watcher = startStoreWatcher(etcd.endpoint, () => {});
  await expect(watcher.stop()).rejects.toThrow("the history was compacted");
});

async function putTask(id: string): Promise<void> {
  const key = recordKey("tasks", id);
  const value = encodeRecord(key, newId(Date.now()), { id });
  const body = JSON.stringify({ key: Buffer.from(key).toString("base64"), value: value.toString("base64") });
  expect((await fetch(`${etcd.endpoint}/v3/kv/put`, { method: "POST", body })).status).toBe(200);
}
