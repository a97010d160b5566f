import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { authenticate } from "../auth/authenticate.ts";
import { teamsOf } from "../auth/authorize.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { bootstrapStore } from "./bootstrap.ts";

const log = createLog({ name: "test", level: "silent" });
const NAMES = { user: "ada", team: "research", key: "first" };

function open(memory: Memory) {
  return openStore({ kv: memoryKv(memory), clock: systemClock, log });
}

test("creates a first key that opens everything of the first team, and stores only its hash", async () => {
  const store = await open(new Memory());
  const made = await bootstrapStore(store, NAMES, systemClock);
  if (made === null) throw new Error("refused");
  const found = authenticate(store.view, made.key, Date.now());
  if (found.kind !== "key") throw new Error(found.kind);
  expect(found.key).toMatchObject({ name: "first", scopes: ["admin"], defaultTeamId: made.teamId });
  expect(teamsOf(store.view, found.key)).toMatchObject([{ teamId: made.teamId, role: "owner" }]);
  expect(JSON.stringify(found.key)).not.toContain(made.key.split("_")[2]);
  await store.close();
});

test("of two at the same time one makes the first user, and nobody makes a second", async () => {
  const memory = new Memory();
  const stores = await Promise.all([open(memory), open(memory)]);
  const made = await Promise.all(stores.map((store) => bootstrapStore(store, NAMES, systemClock)));
  expect(made.filter((one) => one !== null)).toHaveLength(1);
  for (const store of stores) expect(await bootstrapStore(store, NAMES, systemClock)).toBeNull();
  const later = await open(memory);
  expect([...later.view.users.values()]).toHaveLength(1);
  for (const store of [...stores, later]) await store.close();
});

test("names are printable", async () => {
  const store = await open(new Memory());
  for (const user of ["", " a", "a\nb", "a\u202eb", "\u001b[31m", "a".repeat(101)]) {
    await expect(bootstrapStore(store, { ...NAMES, user }, systemClock)).rejects.toThrow("is not a name");
  }
  await store.close();
});
