import { expect, test } from "vitest";
import { startEtcd } from "./etcd.ts";

/** etcd's JSON gateway takes base64. */
const base64 = (text: string): string => Buffer.from(text).toString("base64");

async function call(endpoint: string, method: string, body: object): Promise<{ kvs?: { value: string }[] }> {
  const response = await fetch(`${endpoint}/v3/kv/${method}`, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as { kvs?: { value: string }[] };
}

test("what etcd acknowledged is still there after kill -9 and a restart on the same port", async () => {
  await using etcd = await startEtcd();
  const before = etcd.endpoint;
  await call(etcd.endpoint, "put", { key: base64("k"), value: base64("v") });
  await etcd.kill();
  await etcd.start();
  const { kvs } = await call(before, "range", { key: base64("k") });
  expect(kvs?.[0]?.value).toBe(base64("v"));
});
