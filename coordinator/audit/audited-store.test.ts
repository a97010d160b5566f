import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import type { AuditEntry } from "../domain/audit-entry.ts";
import { aNewService } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { auditedStore } from "./audited-store.ts";

const clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
const WHO = { action: "createService", userId: null, address: null, requestId: null, teamId: null };

const credential = { kind: "operator", id: null } as const;
const service = (n: number) => ({ ...aNewService(), id: n.toString(16).padStart(32, "0"), name: `s${n}` });

async function entriesOf(act: (audited: Store, other: Store) => Promise<void>): Promise<readonly AuditEntry[]> {
  const memory = new Memory();
  const log = createLog({ name: "test", level: "silent" });
  const [store, other] = await Promise.all([1, 2].map(() => openStore({ kv: memoryKv(memory), clock, log })));
  if (store === undefined || other === undefined) throw new Error("two were opened");
  const audited = (over: Store) => auditedStore(over, () => ({ ...WHO, credential }), clock);
  const first = audited(store);
  await act(first, audited(other));
  const entries = [...store.view.auditEntries.values()]
    .map(({ value }) => value)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await Promise.all([store.close(), other.close()]);
  return entries;
}

const namedIn = (entries: readonly AuditEntry[]) => entries.flatMap(({ follows = [] }) => follows);

test("names each entry in exactly one later one of the process, though commits run at once and some are refused", async () => {
  const entries = await entriesOf(async (audited) => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => audited.commit([create("services", service(n))])));
    // Refused: they are there.
    const refused = await Promise.all([1, 2, 3].map((n) => audited.commit([create("services", service(n))])));
    expect(refused.map(({ kind }) => kind)).toEqual(["conflict", "conflict", "conflict"]);
    for (let n = 100; n < 105; n++) await audited.commit([create("services", service(n))]);
  });
  expect(entries).toHaveLength(35);
  // The newest is named by none yet.
  const ids = entries.map(({ id }) => id).slice(0, -1);
  expect(namedIn(entries).toSorted()).toEqual(ids);
});

test("names entries that others made, such as operators' commands", async () => {
  const entries = await entriesOf(async (audited, other) => {
    await other.commit([create("services", service(1))]);
    await expect.poll(() => audited.view.services.get(service(1).id)).toBeDefined();
    await audited.commit([create("services", service(2))]);
  });
  expect(namedIn(entries)).toEqual([entries[0]?.id]);
});
