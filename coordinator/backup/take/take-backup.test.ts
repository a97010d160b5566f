import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../../store/keys.ts";
import { Memory } from "../../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import { directoryPlace } from "../place/directory-place.ts";
import { backupsInDirectory, TAKEN_AT } from "../testing/backups.ts";

const log = createLog({ name: "test", level: "silent" });
let backups: Awaited<ReturnType<typeof backupsInDirectory>>;
let kv: MemoryKv;

beforeEach(async () => {
  backups = await backupsInDirectory();
  kv = memoryKv(new Memory());
  await (await openStore({ kv, clock: systemClock, log })).close();
});
afterEach(() => backups[Symbol.dispose]());

/** A later state of the store. */
const write = () => kv.txn({ compares: [], puts: [{ key: `${ROOT}test`, value: Buffer.from("x") }], deletes: [] });

test("writes into no directory that does not exist, and makes none", async () => {
  const place = directoryPlace(join(backups.dir, "unmounted"));
  await expect(backups.take(kv, { place })).rejects.toThrow(/nothing was written.*unmounted does not exist. Mount/);
  expect(existsSync(join(backups.dir, "unmounted"))).toBe(false);
  writeFileSync(join(backups.dir, "file"), "");
  await expect(backups.take(kv, { place: directoryPlace(join(backups.dir, "file")) })).rejects.toThrow(
    /nothing was written: .*file is no directory/,
  );
});

test("takes and removes nothing where etcd holds an older state than the newest backup", async () => {
  const stale = { read: kv.read.bind(kv), range: kv.range.bind(kv) };
  const before = await kv.read([]);
  await write();
  await backups.take(kv);
  const names = readdirSync(backups.dir);
  const older = {
    ...stale,
    read: async (keys: readonly string[]) => ({ ...(await kv.read(keys)), revision: before.revision }),
  };
  const clock = { now: () => TAKEN_AT + 60_000 };
  await expect(backups.take(older, { clock, keep: 1 })).rejects.toThrow(
    /no backup was written or removed.*older state/,
  );
  expect(readdirSync(backups.dir)).toEqual(names);
});

test("replaces no backup of the same second and state", async () => {
  await backups.take(kv);
  await expect(backups.take(kv)).rejects.toThrow(/no backup was written: .* already/);
  expect(readdirSync(backups.dir)).toHaveLength(1);
});

test("names the directory that has no room, and leaves nothing there", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  const file = new Readable({ read: (): void => void file.destroy(full) });
  await expect(backups.place.write("x", file)).rejects.toThrow(`${backups.dir} has no room for it`);
  expect(readdirSync(backups.dir)).toEqual([]);
});
