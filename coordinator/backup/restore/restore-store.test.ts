import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anAuditEntry } from "../../archive/testing/audit-entries.ts";
import { newAccessKey } from "../../domain/access-key.ts";
import type { Session } from "../../domain/session.ts";
import { claim } from "../../domain/task.ts";
import { aNewService, aTask, TEAM, USER } from "../../domain/testing/records.ts";
import { whyRefused } from "../../fleet/admit-node.ts";
import type { NodeIdentity } from "../../fleet/node-identity.ts";
import { create, inputBytes, replace } from "../../store/change.ts";
import { heldKeysKey, META_KEY, RESTORE_KEY, ROOT } from "../../store/keys.ts";
import { Memory } from "../../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { backupsInDirectory } from "../testing/backups.ts";
import { LaterChanges } from "./later-changes.ts";
import { backupSource, verifyBackup } from "./read-backup.ts";
import { readTarget } from "./read-target.ts";
import { takeTurn, withoutTurn } from "./restore-mark.ts";
import { type RestoreOptions, restoreStore } from "./restore-store.ts";

const log = createLog({ name: "test", level: "silent" });
const NOW = 1_800_000_100_000;
const TASKS = 150;

let backups: Awaited<ReturnType<typeof backupsInDirectory>>;
let kv: MemoryKv;
let store: Store;

const service = aNewService();
const key = newAccessKey({
  id: "k",
  name: "key",
  userId: USER,
  teamId: null,
  defaultTeamId: TEAM,
  scopes: [],
  secretSha256: "",
  createdAt: 0,
  expiresAt: null,
});
const session: Session = {
  id: "s",
  userId: USER,
  defaultTeamId: TEAM,
  secretSha256: "",
  createdAt: NOW,
  lastUsedAt: NOW,
  provider: "login-link",
  userAgent: "",
};
const running = claim(aTask(service), { nodeId: "node", sessionId: "session", assignmentId: "assignment" }, 1);
const queued = Array.from({ length: TASKS }, (_unused, index) => aTask(service, { createdAt: 2_000 + index }));

beforeEach(async () => {
  backups = await backupsInDirectory();
  kv = memoryKv(new Memory());
  store = await openStore({ kv, clock: systemClock, log });
  await store.commit([create("access-keys", key), create("sessions", session), create("services", service)]);
  await store.commit([create("tasks", running), inputBytes(running.id, Buffer.from([0, 255]))]);
  for (const task of queued) await store.commit([create("tasks", task), inputBytes(task.id, Buffer.from("{}"))]);
});
afterEach(async () => {
  await store.close();
  await kv.close();
  backups[Symbol.dispose]();
});

/** Of the backup `name`, into a store. */
async function optionsFor(
  target: MemoryKv,
  name: string,
  given: Partial<RestoreOptions> = {},
): Promise<RestoreOptions> {
  const source = backupSource(backups.place, name, [backups.identity]);
  return {
    kv: target,
    turn: await takeTurn(target, 0),
    source,
    ...(await verifyBackup(source)),
    epoch: 2,
    isRepeated: false,
    rules: { now: NOW, disablesKeys: false, lacksMasterKeys: false, later: new LaterChanges() },
    archive: null,
    onProgress: () => undefined,
    ...given,
  };
}

async function keysOf(of: MemoryKv): Promise<readonly string[]> {
  return (await of.range(ROOT, { limit: 10_000 })).entries.map((entry) => entry.key);
}

test("takes all as of one revision while it is written to, and restores it under a new epoch", async () => {
  let late = 0;
  const busy: Pick<MemoryKv, "range" | "read"> = {
    read: (keys, at) => kv.read(keys, at),
    range: async (prefix, page) => {
      await store.commit([create("tasks", aTask(service, { createdAt: 9_000_000 + late++ }))]);
      return await kv.range(prefix, page);
    },
  };
  const taken = await backups.take(busy);
  const fresh = memoryKv(new Memory());
  const counts = await restoreStore(await optionsFor(fresh, taken.name));
  expect(counts.leftOut).toEqual({ identity: 1, voided: 1 });
  expect(counts.changed).toEqual({ requeued: 1 });
  const restored = await openStore({ kv: fresh, clock: systemClock, log });
  expect([restored.epoch, restored.blobStoreId]).toEqual([2, store.blobStoreId]);
  expect([...restored.view.accessKeys.values()].map(({ value }) => value)).toEqual([key]);
  expect([...restored.view.sessions.values()]).toEqual([]);
  expect([...restored.view.tasks.values()]).toHaveLength(TASKS + 1);
  expect(restored.view.tasks.get(running.id)?.value).toMatchObject({
    phase: { kind: "queued", lastFailure: null },
    attempts: { started: 1, lost: 0, infrastructure: 0 },
  });
  expect(await restored.bytes("input", running.id)).toEqual(Buffer.from([0, 255]));
  expect([...restored.view.auditEntries.of("")].map(({ value }) => value)).toMatchObject([
    { action: "restore", after: { epoch: 2 } },
  ]);
  await restored.close();
});

test("is repeated after it was killed anywhere, and nobody starts on the store before it has ended", async () => {
  const taken = await backups.take(kv);
  for (const transactions of [1, 2, 3, 4, 5]) {
    const fresh = memoryKv(new Memory());
    const options = await optionsFor(fresh, taken.name);
    let left = transactions;
    const dying = {
      ...options,
      kv: {
        read: fresh.read.bind(fresh),
        range: fresh.range.bind(fresh),
        txn: async (txn: Parameters<MemoryKv["txn"]>[0]) => {
          if (left-- <= 0) throw new Error("killed");
          return await fresh.txn(txn);
        },
      },
    };
    await expect(restoreStore(dying), `after ${transactions} transactions`).rejects.toThrow("killed");
    await expect(openStore({ kv: fresh, clock: systemClock, log })).rejects.toThrow(
      /restore from elastic-.* has begun/,
    );
    expect((await readTarget(fresh)).mark).toMatchObject({ digest: taken.trailer.sha256 });
    await options.turn.end();
    const again = await optionsFor(fresh, taken.name);
    await restoreStore(again);
    await again.turn.end();
    // Without the session, and with an audit entry.
    expect(await keysOf(fresh)).toHaveLength((await keysOf(kv)).length);
    expect(await keysOf(fresh)).not.toContain(RESTORE_KEY);
  }
});

test("replaces what an older copy of the store had", async () => {
  const taken = await backups.take(kv);
  const before = store.view.accessKeys.get("k");
  if (before === undefined) throw new Error("no key");
  await store.commit([
    replace("access-keys", before, { ...key, name: "renamed" }),
    create("access-keys", { ...key, id: "late" }),
  ]);
  await restoreStore(await optionsFor(kv, taken.name));
  const keys = (await keysOf(kv)).filter((name) => name.includes("access-keys"));
  expect(keys).toEqual([expect.stringMatching(/\/k$/)]);
});

test("does not take its own turn for a newer state of the store", async () => {
  const { revision } = await readTarget(kv);
  const turn = await takeTurn(kv, 0);
  expect(withoutTurn(await readTarget(kv), turn).revision).toBe(revision);
  await store.commit([create("access-keys", { ...key, id: "late" })]);
  expect(withoutTurn(await readTarget(kv), turn).revision).toBe(revision + 2);
});

test("rejects a second restore at the same time, and one whose turn is over writes nothing", async () => {
  const taken = await backups.take(kv);
  const fresh = memoryKv(new Memory());
  const options = await optionsFor(fresh, taken.name);
  await expect(takeTurn(fresh, 0)).rejects.toThrow(/another restore runs/);
  await options.turn.end();
  const other = await optionsFor(fresh, taken.name);
  await expect(restoreStore(options)).rejects.toThrow(/interrupted/);
  await restoreStore(other);
  expect(await keysOf(fresh)).toContain(META_KEY);
});

test("leaves to the archive what it has, and applies again what was ended later", async () => {
  const taken = await backups.take(kv);
  const [ended] = queued;
  if (ended === undefined) throw new Error("no task");
  const later = new LaterChanges();
  later.add(
    anAuditEntry({ at: NOW, object: { kind: "key", id: "k", name: "key" }, before: {}, after: { revoked: true } }),
    true,
  );
  const fresh = memoryKv(new Memory());
  const archive = { tasksOf: async (ids: readonly string[]) => new Set(ids.filter((id) => id === ended.id)) };
  const rules = { now: NOW, disablesKeys: true, lacksMasterKeys: false, later };
  const counts = await restoreStore(await optionsFor(fresh, taken.name, { archive, rules }));
  expect(counts.leftOut).toMatchObject({ archived: 2 });
  expect(counts.changed).toEqual({ "keys revoked": 1, requeued: 1 });
  expect((await keysOf(fresh)).filter((name) => name.includes(ended.id))).toEqual([]);
});

test("keeps a node out that was enrolled and evicted after the backup", async () => {
  const taken = await backups.take(kv);
  const later = new LaterChanges();
  const object = { kind: "node", id: "gpu-7", name: "gpu-7" };
  later.add(anAuditEntry({ at: NOW, object, before: {}, after: { evicted: true } }), true);
  const fresh = memoryKv(new Memory());
  const rules = { now: NOW, disablesKeys: false, lacksMasterKeys: false, later };
  const counts = await restoreStore(await optionsFor(fresh, taken.name, { rules }));
  expect(counts.changed).toMatchObject({ "nodes evicted": 1 });
  const restored = await openStore({ kv: fresh, clock: systemClock, log });
  const node = restored.view.nodes.get("gpu-7")?.value;
  const identity = { nodeId: "gpu-7", enrollmentId: "e", notAfter: NOW + 1 } as NodeIdentity;
  expect(whyRefused(identity, node, NOW)?.message).toMatch(/evicted/);
  await restored.close();
});

test("disables the keys of a backup whose later revocations are not known", async () => {
  const taken = await backups.take(kv);
  const fresh = memoryKv(new Memory());
  const rules = { now: NOW, disablesKeys: true, lacksMasterKeys: false, later: new LaterChanges() };
  expect((await restoreStore(await optionsFor(fresh, taken.name, { rules }))).changed).toEqual({
    disabled: 1,
    requeued: 1,
  });
  const restored = await openStore({ kv: fresh, clock: systemClock, log });
  expect(restored.view.accessKeys.get("k")?.value).toMatchObject({ disabledAt: NOW, revokedAt: null });
  await restored.close();
});

test("begins again where etcd compacts the revision meanwhile", async () => {
  const memory = new Memory();
  const busy = memoryKv(memory);
  const busyStore = await openStore({ kv: busy, clock: systemClock, log });
  for (let i = 0; i < 600; i++) await busyStore.commit([create("access-keys", { ...key, id: newId(i) })]);
  let compactions = 0;
  const taken = await backups.take(busy, {
    onProgress: () => {
      if (compactions++ > 0) return;
      void busyStore.commit([create("access-keys", { ...key, id: "late" })]).then(() => memory.compact());
    },
  });
  expect(taken.trailer.entries).toBeGreaterThan(600);
  await busyStore.close();
});

test("removes the oldest only after the new one was read back as it was written", async () => {
  const first = await backups.take(kv);
  const broken = { ...backups.place, read: async () => null };
  const later = { clock: { now: () => NOW } };
  await expect(backups.take(kv, { ...later, keep: 1, place: broken })).rejects.toThrow(
    /read back other than it was written/,
  );
  expect(await backups.place.list()).toContain(first.name);
  const second = await backups.take(kv, { clock: { now: () => NOW + 1_000 }, keep: 1 });
  // And what was left of the one that could not be read back.
  expect(second.removed).toHaveLength(2);
  expect(second.removed).toContain(first.name);
  expect(await backups.place.list()).toEqual([second.name]);
});

test("changes nothing where a coordinator has started meanwhile", async () => {
  const taken = await backups.take(kv);
  const options = await optionsFor(kv, taken.name);
  const held = { id: "p", name: "control, process 7 (http)", startedAt: 0 };
  const put = { key: heldKeysKey("p"), value: Buffer.from(JSON.stringify(held)) };
  await kv.txn({ compares: [], puts: [put], deletes: [] });
  const before = await keysOf(kv);
  await expect(restoreStore(options)).rejects.toThrow(
    /nothing was changed: a coordinator has started.*control, process 7 \(http\)/,
  );
  expect(await keysOf(kv)).toEqual(before);
});

test("writes nothing more once its turn is over, and the next restore ends it", async () => {
  const taken = await backups.take(kv);
  const fresh = memoryKv(new Memory());
  const options = await optionsFor(fresh, taken.name);
  let left = 2;
  const paused = {
    read: fresh.read.bind(fresh),
    range: fresh.range.bind(fresh),
    txn: async (txn: Parameters<MemoryKv["txn"]>[0]) => {
      if (left-- === 0) await options.turn.end();
      return await fresh.txn(txn);
    },
  };
  await expect(restoreStore({ ...options, kv: paused })).rejects.toThrow(/interrupted/);
  // The mark and one batch: all others came after the turn.
  expect(await keysOf(fresh)).toHaveLength(101);
  const again = await optionsFor(fresh, taken.name, { isRepeated: true });
  await restoreStore(again);
  expect((await readTarget(fresh)).mark).toBeNull();
});
