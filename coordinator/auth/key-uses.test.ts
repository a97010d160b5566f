import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { revoked } from "../domain/access-key.ts";
import { create, replace } from "../store/change.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { KeyUses, writeKeyUses } from "./key-uses.ts";
import { makeKey } from "./make-key.ts";

const NOW = 1_800_000_000_000;

async function openWithKeys(count: number) {
  const memory = new Memory();
  const store = await openStore({
    kv: memoryKv(memory),
    clock: systemClock,
    log: createLog({ name: "test", level: "silent" }),
  });
  const keys = Array.from(
    { length: count },
    (_, n) =>
      makeKey({
        name: `key ${n}`,
        userId: "u",
        teamId: null,
        defaultTeamId: "t",
        scopes: ["tasks:read"],
        createdAt: NOW,
        expiresAt: null,
      }).record,
  );
  await Promise.all(keys.map((key) => store.commit([create("access-keys", key)])));
  const lastUse = (id: string) => store.view.accessKeys.get(id)?.value.lastUsedAt;
  return { store, memory, ids: keys.map(({ id }) => id), lastUse };
}

test("however often a key is used, it is written once a minute", async () => {
  const { store, memory, ids, lastUse } = await openWithKeys(100);
  const uses = new KeyUses();
  const before = memory.revision;
  for (let second = 0; second < 120; second++) {
    for (const id of ids) uses.note(id, NOW + second * 1000);
    await writeKeyUses(store, uses);
  }
  expect(ids.map(lastUse)).toEqual(ids.map(() => NOW + 60_000));
  // Each of the two rounds of a hundred shares its transactions.
  expect(memory.revision - before).toBeLessThanOrEqual(8);
  await store.close();
});

test("a key that is revoked meanwhile stays revoked, and one that is gone is passed over", async () => {
  const { store, ids, lastUse } = await openWithKeys(1);
  const uses = new KeyUses();
  const [id = ""] = ids;
  const before = store.view.accessKeys.get(id);
  if (before === undefined) throw new Error("no key");
  uses.note(id, NOW);
  uses.note("gone", NOW);
  const written = writeKeyUses(store, uses);
  const ended = await store.commit([replace("access-keys", before, revoked(before.value, NOW))]);
  await written;
  const { value } = (await store.get("access-keys", id)) ?? {};
  // Whoever came first, the other changed nothing.
  expect([value?.revokedAt, lastUse(id)]).toEqual(ended.kind === "committed" ? [NOW, null] : [null, NOW]);
  await store.close();
});
