import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, onTestFinished, test } from "vitest";
import { type HeldKeys, publishHeldKeys, readHolders } from "./held-keys.ts";
import { coordinatorFactsKey } from "./keys.ts";
import { Memory } from "./memory/memory.ts";
import { memoryKv } from "./memory/memory-kv.ts";

const log = createLog({ name: "test", level: "silent" });

function held(id: string, keys: readonly string[]): HeldKeys {
  return { id, name: id, startedAt: 0, keys, complaint: null, authority: null, registry: null };
}

test("shows what each process holds, a change within moments, also after its lease was lost, and nothing once it stops", async () => {
  let aheadMs = 0;
  const clock = {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    now: () => Date.now() + aheadMs,
  };
  const memory = new Memory(clock);
  const [kv, reader] = [memoryKv(memory), memoryKv(memory)];
  let keys = ["a"];
  const stop = await publishHeldKeys({ kv, id: "1", read: () => held("1", keys), log });
  const shown = async () => (await readHolders(reader)).known.map((one) => one.keys);
  expect(await shown()).toEqual([["a"]]);
  keys = ["a", "b"];
  await expect.poll(shown, { timeout: 5_000 }).toEqual([["a", "b"]]);
  kv.faults.away = true;
  aheadMs += 10_001;
  await expect.poll(shown, { timeout: 5_000 }).toEqual([]);
  kv.faults.away = false;
  await expect.poll(shown, { timeout: 5_000 }).toEqual([["a", "b"]]);
  await stop();
  expect(await shown()).toEqual([]);
  await kv.close();
  await reader.close();
});

test("names coordinators that publish no keys, being of an earlier version", async () => {
  const kv = memoryKv(new Memory());
  onTestFinished(() => kv.close());
  onTestFinished(await publishHeldKeys({ kv, id: "1", read: () => held("1", ["a"]), log }));
  const puts = ["1", "2"].map((id) => ({
    key: coordinatorFactsKey(id),
    value: Buffer.from(JSON.stringify({ id, grpcAddress: `10.0.0.${id}:8443` })),
  }));
  await kv.txn({ compares: [], puts, deletes: [] });
  expect((await readHolders(kv)).silent).toEqual(["10.0.0.2:8443"]);
});
