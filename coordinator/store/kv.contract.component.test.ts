import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CompactedError,
  type Kv,
  type KvEvent,
  OutcomeUnknownError,
  StoreFullError,
  StoreRefusedError,
  type Txn,
} from "./kv.ts";
import { BACKENDS, type Backend } from "./testing/backends.ts";

function put(key: string, value: string, leaseId?: string): Txn {
  const entry = { key, value: Buffer.from(value) };
  return { compares: [], puts: [leaseId === undefined ? entry : { ...entry, leaseId }], deletes: [] };
}

/** What a watch brought, and a way to wait for it. */
function recorder() {
  const events: KvEvent[] = [];
  let progress = 0;
  let agoMs = 0;
  let broken: Error | undefined;
  return {
    events,
    progress: () => progress,
    agoMs: () => agoMs,
    broken: () => broken,
    onEvents: (more: readonly KvEvent[]) => void events.push(...more),
    onProgress: (revision: number, ago: number) => {
      progress = revision;
      agoMs = ago;
    },
    onBroken: (error: Error) => {
      if (broken !== undefined) throw new Error("broken twice");
      broken = error;
    },
  };
}

describe.each(BACKENDS)("a Kv in %s", (_, open) => {
  let backend: Backend;
  let kv: Kv;
  let other: Kv;
  let count = 0;
  beforeAll(async () => {
    backend = await open();
    kv = (await backend.connect()).kv;
    other = (await backend.connect()).kv;
  });
  afterAll(async () => {
    await backend[Symbol.asyncDispose]();
  });
  /** A separate prefix for each test. */
  const fresh = () => `/test/${++count}/`;

  test("a key's revision is that of its last write, and revisions count up over all keys", async () => {
    const at = fresh();
    const first = await kv.txn(put(`${at}a`, "1"));
    const second = await kv.txn(put(`${at}b`, "2"));
    expect(second.revision).toBe(first.revision + 1);
    const { entries, revision } = await kv.read([`${at}b`, `${at}none`, `${at}a`]);
    expect(revision).toBe(second.revision);
    expect(entries.map((entry) => entry && [entry.key, entry.value.toString(), entry.revision])).toEqual([
      [`${at}b`, "2", second.revision],
      null,
      [`${at}a`, "1", first.revision],
    ]);
  });

  test("a transaction whose compares hold writes everything at one revision", async () => {
    const at = fresh();
    const before = await kv.txn(put(`${at}old`, "x"));
    const outcome = await kv.txn({
      compares: [
        { key: `${at}old`, revision: before.revision },
        { key: `${at}new`, revision: 0 },
      ],
      puts: [{ key: `${at}new`, value: Buffer.from("y") }],
      deletes: [`${at}old`],
    });
    expect(outcome).toEqual({ applied: true, revision: before.revision + 1 });
    const { entries } = await kv.read([`${at}old`, `${at}new`]);
    expect(entries).toEqual([null, { key: `${at}new`, value: Buffer.from("y"), revision: outcome.revision }]);
  });

  test("a transaction with a compare that fails writes nothing and returns what the keys hold", async () => {
    const at = fresh();
    const { revision } = await kv.txn(put(`${at}a`, "1"));
    const outcome = await kv.txn({
      compares: [
        { key: `${at}none`, revision: 0 },
        { key: `${at}a`, revision: revision - 1 },
      ],
      puts: [{ key: `${at}b`, value: Buffer.from("2") }],
      deletes: [],
    });
    expect(outcome).toEqual({
      applied: false,
      revision,
      current: [null, { key: `${at}a`, value: Buffer.from("1"), revision }],
    });
    expect((await kv.read([`${at}b`])).entries).toEqual([null]);
  });

  test("of fifty racers on one key exactly one wins", async () => {
    const at = fresh();
    const race = (kvOf: Kv, i: number) =>
      kvOf.txn({ ...put(`${at}a`, String(i)), compares: [{ key: `${at}a`, revision: 0 }] });
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, i) => race(i % 2 ? kv : other, i)));
    expect(outcomes.filter((outcome) => outcome.applied)).toHaveLength(1);
  });

  test("sends a transaction once, also where the connection ends before its response", async () => {
    const at = fresh();
    const lossy = await backend.connect();
    const { revision: before } = await lossy.kv.txn(put(`${at}before`, "1"));
    lossy.loseAnswer();
    const outcome = expect(lossy.kv.txn(put(`${at}a`, "1"))).rejects.toThrow(OutcomeUnknownError);
    await expect.poll(async () => (await kv.read([`${at}a`])).entries[0]).not.toBeNull();
    lossy.heal();
    await outcome;
    expect((await kv.read([`${at}a`])).entries[0]?.revision).toBe(before + 1);
  });

  test("a transaction that writes a key twice is refused for good", async () => {
    const at = fresh();
    const twice = { compares: [], puts: [...put(`${at}a`, "1").puts, ...put(`${at}a`, "2").puts], deletes: [] };
    await expect(kv.txn(twice)).rejects.toThrow(StoreRefusedError);
  });

  test("a transaction beyond what a request may hold is refused for good", async () => {
    const at = fresh();
    const many = Array.from({ length: 129 }, (_, i) => ({ key: `${at}${i}`, value: Buffer.from("x") }));
    await expect(kv.txn({ compares: [], puts: many, deletes: [] })).rejects.toThrow(StoreRefusedError);
    const large = { key: `${at}large`, value: Buffer.alloc(2 * 1024 * 1024) };
    await expect(kv.txn({ compares: [], puts: [large], deletes: [] })).rejects.toThrow(StoreRefusedError);
  });

  test("what was read at a past revision is what stood there then", async () => {
    const at = fresh();
    const first = await kv.txn(put(`${at}a`, "1"));
    await kv.txn(put(`${at}a`, "2"));
    const { entries } = await kv.read([`${at}a`], first.revision);
    expect(entries[0]?.value.toString()).toBe("1");
    expect((await kv.read([`${at}a`], first.revision - 1)).entries).toEqual([null]);
  });

  test("a range comes in pages, in order, at one revision if wished", async () => {
    const at = fresh();
    for (const name of ["c", "a", "d", "b"]) await kv.txn(put(`${at}${name}`, name));
    const first = await kv.range(at, { limit: 3 });
    await kv.txn(put(`${at}e`, "late"));
    const rest = await kv.range(at, { limit: 3, afterKey: `${at}c`, at: first.revision });
    expect(first.entries.map((entry) => entry.value.toString())).toEqual(["a", "b", "c"]);
    expect(first.more).toBe(true);
    expect(rest.entries.map((entry) => entry.value.toString())).toEqual(["d"]);
    expect(rest.more).toBe(false);
  });

  test("a watch brings every event from its revision on, once and in order, and none of other prefixes", async () => {
    const at = fresh();
    const { revision } = await kv.txn(put(`${at}a`, "1"));
    await kv.txn(put(`${at}a`, "2"));
    await kv.txn(put(`${fresh()}a`, "elsewhere"));
    const seen = recorder();
    const stop = new AbortController();
    other.watch(at, revision, seen, stop.signal);
    await kv.txn({ ...put(`${at}b`, "3"), deletes: [`${at}a`] });
    await kv.txn(put(`${at}c`, "4"));
    await expect.poll(() => seen.events.length).toBe(5);
    const received = seen.events.map((event) => (event.kind === "put" ? event.entry.value.toString() : event.kind));
    expect([...received.slice(0, 2), ...received.slice(2, 4).sort(), received[4]]).toEqual([
      "1",
      "2",
      "3",
      "delete",
      "4",
    ]);
    stop.abort();
  });

  test("an idle watch reports its progress within seconds", { timeout: 10_000 }, async () => {
    const at = fresh();
    const { revision } = await kv.txn(put(`${at}a`, "1"));
    const seen = recorder();
    const stop = new AbortController();
    other.watch(at, revision + 1, seen, stop.signal);
    await expect.poll(() => seen.progress(), { timeout: 5000 }).toBeGreaterThanOrEqual(revision);
    expect(seen.agoMs()).toBeGreaterThanOrEqual(0);
    expect(seen.agoMs()).toBeLessThan(1000);
    stop.abort();
  });

  test("a watch from a revision that was compacted breaks at once", async () => {
    const at = fresh();
    const first = await kv.txn(put(`${at}a`, "1"));
    const last = await kv.txn(put(`${at}a`, "2"));
    await backend.compact(last.revision);
    const seen = recorder();
    kv.watch(at, first.revision, seen, new AbortController().signal);
    await expect.poll(() => seen.broken()).toBeInstanceOf(CompactedError);
    await expect(kv.read([`${at}a`], first.revision)).rejects.toThrow(CompactedError);
    expect((await kv.read([`${at}a`], last.revision)).entries[0]?.value.toString()).toBe("2");
  });

  test("a watch from the revision after a compaction continues", async () => {
    const at = fresh();
    const { revision } = await kv.txn(put(`${at}a`, "1"));
    await backend.compact(revision);
    const seen = recorder();
    const stop = new AbortController();
    kv.watch(at, revision + 1, seen, stop.signal);
    await kv.txn(put(`${at}a`, "2"));
    await expect
      .poll(() => seen.events.map((event) => event.kind === "put" && event.entry.revision))
      .toEqual([revision + 1]);
    expect(seen.broken()).toBeUndefined();
    stop.abort();
  });

  test("a revoked lease takes its keys along", async () => {
    const at = fresh();
    const lease = await kv.lease(5000);
    const { revision } = await kv.txn(put(`${at}a`, "alive", lease.id));
    expect(lease.remainingMs()).toBeGreaterThan(0);
    expect(lease.remainingMs()).toBeLessThanOrEqual(5000);
    const seen = recorder();
    const stop = new AbortController();
    other.watch(at, revision + 1, seen, stop.signal);
    await lease.revoke();
    expect(lease.remainingMs()).toBeLessThanOrEqual(0);
    await expect.poll(() => seen.events.map((event) => event.kind)).toEqual(["delete"]);
    stop.abort();
  });

  test("a lease whose process goes away ends, and one that is renewed lives on", { timeout: 20_000 }, async () => {
    const at = fresh();
    const staying = await kv.lease(2000);
    const leaving = await other.lease(2000);
    await kv.txn(put(`${at}staying`, "x", staying.id));
    await kv.txn(put(`${at}leaving`, "x", leaving.id));
    await other.close();
    await expect.poll(async () => (await kv.read([`${at}leaving`])).entries[0], { timeout: 15_000 }).toBeNull();
    expect((await kv.read([`${at}staying`])).entries[0]).not.toBeNull();
    expect(staying.remainingMs()).toBeGreaterThan(0);
    expect(leaving.remainingMs()).toBeLessThanOrEqual(0);
    await staying.revoke();
  });

  test("without room puts are refused as such, what is there is read and removed, and with room they are accepted again", async () => {
    const at = fresh();
    await kv.txn(put(`${at}a`, "1"));
    await backend.setFull(true);
    await expect(kv.txn(put(`${at}b`, "2"))).rejects.toThrow(StoreFullError);
    await kv.txn({ compares: [], puts: [], deletes: [`${at}a`] });
    expect((await kv.read([`${at}a`, `${at}b`])).entries).toEqual([null, null]);
    await backend.setFull(false);
    await kv.txn(put(`${at}b`, "2"));
  });

  test("a put under a lease that has ended is refused for good", async () => {
    await expect(kv.txn(put(`${fresh()}a`, "x", "123456789"))).rejects.toThrow(StoreRefusedError);
  });
});
