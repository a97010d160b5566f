import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { IDEMPOTENCY_KEPT_MS, type IdempotencyNote } from "../domain/idempotency.ts";
import { DELETED_SHELL_RETAINED_MS } from "../domain/shell-retention.ts";
import { TERMINAL_TICKET_MS, type TerminalTicket } from "../domain/terminal-ticket.ts";
import { aShell } from "../domain/testing/records.ts";
import { UPLOAD_LIFETIME_MS, type Upload } from "../domain/upload.ts";
import { create, replace } from "../store/change.ts";
import { recordKey } from "../store/keys.ts";
import { Memory } from "../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { forget } from "./forget-loop.ts";

const log = createLog({ name: "test", level: "silent" });
const NOW = 1_800_000_000_000;
const clock = { now: () => NOW, monotonicMs: () => 0 };

let kv: MemoryKv;
let store: Store;

beforeEach(async () => {
  kv = memoryKv(new Memory());
  store = await openStore({ kv, clock: systemClock, log });
});
afterEach(async () => {
  await store.close();
  await kv.close();
});

function note(createdAt: number): IdempotencyNote {
  return { id: `team/${newId(createdAt)}`, taskId: "t", fingerprint: "f", createdAt };
}

function upload(createdAt: number): Upload {
  const expiresAt = createdAt + UPLOAD_LIFETIME_MS;
  return { id: newId(createdAt), teamId: "team", creatorId: "u", createdAt, expiresAt, bytes: 1, sha256: "" };
}

function ticket(createdAt: number): TerminalTicket {
  return { id: newId(createdAt), userId: "u", keyId: "k", shellId: "s", secretSha256: "", createdAt };
}

const NO_LOGS = { remove: async () => undefined };

test("what a later version wrote is passed over, however old it looks, and does not hold up the rest", async () => {
  const old = note(NOW - 2 * IDEMPOTENCY_KEPT_MS);
  const key = recordKey("idempotency-keys", old.id);
  const value = Buffer.from(JSON.stringify({ op: "later", version: 2, value: old }));
  await kv.txn({ compares: [], puts: [{ key, value }], deletes: [] });
  const known = note(NOW - IDEMPOTENCY_KEPT_MS);
  await store.commit([create("idempotency-keys", known)]);
  await forget({ kv, store, logs: NO_LOGS, clock, log });
  expect((await kv.read([key, recordKey("idempotency-keys", known.id)])).entries).toMatchObject([{ value }, null]);
});

test("what has had its day is forgotten, and what has not stays", async () => {
  const notes = [note(NOW - IDEMPOTENCY_KEPT_MS), note(NOW - IDEMPOTENCY_KEPT_MS + 1)];
  const uploads = [upload(NOW - UPLOAD_LIFETIME_MS), upload(NOW - UPLOAD_LIFETIME_MS + 1)];
  for (const each of notes) await store.commit([create("idempotency-keys", each)]);
  for (const each of uploads) await store.commit([create("uploads", each)]);
  const tickets = [ticket(NOW - TERMINAL_TICKET_MS), ticket(NOW - TERMINAL_TICKET_MS + 1)];
  for (const each of tickets) await store.commit([create("terminal-tickets", each)]);
  await forget({ kv, store, logs: NO_LOGS, clock, log });
  const left = await Promise.all(notes.map(({ id }) => store.get("idempotency-keys", id)));
  expect(left.map((read) => read !== null)).toEqual([false, true]);
  expect([...store.view.uploads.values()].map(({ value }) => value)).toEqual([uploads[1]]);
  expect([...store.view.terminalTickets.values()].map(({ value }) => value)).toEqual([tickets[1]]);
});

test("forgets a deleted shell after 30 days, unless its home is not erased yet", async () => {
  const old = { kind: "deleted", since: NOW - DELETED_SHELL_RETAINED_MS } as const;
  const recent = { ...old, since: old.since + 1 };
  const stopped = { kind: "stopped", since: 0, cause: "user" } as const;
  const shells = [
    aShell({ id: newId(1), nodeId: null, state: old }),
    aShell({ id: newId(2), nodeId: null, state: recent }),
    aShell({ id: newId(3), nodeId: "gpu-7", state: old }),
    aShell({ id: newId(4), nodeId: null, state: stopped }),
  ];
  for (const shell of shells) await store.commit([create("shells", shell)]);
  await forget({ kv, store, logs: NO_LOGS, clock, log });
  expect(shells.map(({ id }) => store.view.shells.get(id) !== undefined)).toEqual([false, true, true, true]);
});

test("more than a page are forgotten", async () => {
  const many = Array.from({ length: 1234 }, () => note(0));
  await Promise.all(many.map((each) => store.commit([create("idempotency-keys", each)])));
  await forget({ kv, store, logs: NO_LOGS, clock, log });
  for (const { id } of many) expect(await store.get("idempotency-keys", id)).toBeNull();
});

test("retains a key that is used again while it is being removed", async () => {
  const old = note(0);
  await store.commit([create("idempotency-keys", old)]);
  const racing: Pick<Store, "commit" | "view"> = {
    view: store.view,
    commit: async (changes) => {
      const read = await store.get("idempotency-keys", old.id);
      if (read !== null) await store.commit([replace("idempotency-keys", read, { ...old, createdAt: NOW })]);
      return store.commit(changes);
    },
  };
  await forget({ kv, store: racing, logs: NO_LOGS, clock, log });
  expect((await store.get("idempotency-keys", old.id))?.value.createdAt).toBe(NOW);
});
