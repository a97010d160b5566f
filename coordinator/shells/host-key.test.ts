import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSecrets } from "../secrets/secrets.ts";
import { SSH_HOST_KEY } from "../store/keys.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { readOrCreateHostKey, readPublicHostKey } from "./host-key.ts";
import { isReadable, newKeyPair } from "./new-key-pair.ts";

const folder = mkdtempSync(join(tmpdir(), "host-key-"));
afterAll(() => rmSync(folder, { recursive: true }));
const secrets = openSecrets({ keyFile: join(folder, "keys") });

test("gateways that start at once agree on one key, which is the same after every start", async () => {
  const memory = new Memory();
  const keys = await Promise.all(Array.from({ length: 5 }, () => readOrCreateHostKey(memoryKv(memory), secrets)));
  const again = await readOrCreateHostKey(memoryKv(memory), secrets);
  expect(new Set([...keys, again].map(String)).size).toBe(1);
  expect(String(again)).toContain("OPENSSH PRIVATE KEY");
});

test("publishes the public half of the host key", async () => {
  const kv = memoryKv();
  const pair = newKeyPair();
  const value = Buffer.from(secrets.seal(Buffer.from(pair.private), "ssh-host-key"));
  await kv.txn({ compares: [], puts: [{ key: SSH_HOST_KEY, value }], deletes: [] });
  const { type, blob } = await readPublicHostKey(kv, secrets);
  expect(`${type} ${blob}`).toBe(pair.public.trim());
});

test("seals the host key in the store", async () => {
  const kv = memoryKv();
  await readOrCreateHostKey(kv, secrets);
  const { entries } = await kv.read([SSH_HOST_KEY]);
  expect(entries[0]?.value.toString("utf8")).toMatch(/^v1\.[^.]+\.[\w-]+$/);
});

test.each(["lost before it was applied", "lost after it was applied"] as const)(
  "a write whose response was %s leaves one key",
  async (answer) => {
    const kv = memoryKv();
    kv.faults.lostAnswers.push(answer);
    const first = await readOrCreateHostKey(kv, secrets).catch(() => null);
    const next = await readOrCreateHostKey(kv, secrets);
    expect([String(next), null]).toContain(first === null ? null : String(first));
    expect(String(await readOrCreateHostKey(kv, secrets))).toBe(String(next));
  },
);

test("one that no gateway can read gives way to one that every gateway reads", async () => {
  const kv = memoryKv();
  const value = Buffer.from(secrets.seal(Buffer.from("no key"), "ssh-host-key"));
  await kv.txn({ compares: [], puts: [{ key: SSH_HOST_KEY, value }], deletes: [] });
  const key = await readOrCreateHostKey(kv, secrets);
  expect(isReadable(key)).toBe(true);
  expect(await readOrCreateHostKey(kv, secrets)).toEqual(key);
});
