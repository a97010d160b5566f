import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { openAuthority, readOrCreateAuthority } from "../../enrollment/authority.ts";
import { newKeyLine, parseKeyFile } from "../../secrets/key-file.ts";
import { type Secrets, secretsOf } from "../../secrets/secrets.ts";
import { readOrCreateHostKey } from "../../shells/host-key.ts";
import { AUTHORITY_KEY, SSH_HOST_KEY } from "../../store/keys.ts";
import { Memory } from "../../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import { backupsInDirectory } from "../testing/backups.ts";
import { LaterChanges } from "./later-changes.ts";
import { backupSource, verifyBackup } from "./read-backup.ts";
import { takeTurn } from "./restore-mark.ts";
import { restoreStore } from "./restore-store.ts";

const log = createLog({ name: "test", level: "silent" });

function newSecrets(): Secrets {
  return secretsOf(parseKeyFile(newKeyLine(), "keys"), "keys");
}

/** What a coordinator opens before it serves. */
async function openAtStart(kv: MemoryKv, secrets: Secrets) {
  const authority = openAuthority(await readOrCreateAuthority(kv, secrets, systemClock), secrets);
  return { authority: authority.sha256, hostKey: await readOrCreateHostKey(kv, secrets) };
}

/** A store of these keys, restored by a machine that has `masterKeys` alone. */
async function restoredWith(before: Secrets, masterKeys: readonly string[]) {
  using backups = await backupsInDirectory();
  const kv = memoryKv(new Memory());
  const store = await openStore({ kv, clock: systemClock, log });
  const known = await openAtStart(kv, before);
  const taken = await backups.take(kv);
  await store.close();
  const fresh = memoryKv(new Memory());
  const source = backupSource(backups.place, taken.name, [backups.identity]);
  const later = new LaterChanges();
  const counts = await restoreStore({
    kv: fresh,
    turn: await takeTurn(fresh, 0),
    source,
    ...(await verifyBackup(source)),
    epoch: 2,
    isRepeated: false,
    rules: { now: 1, disablesKeys: false, lacksMasterKeys: true, masterKeys, later },
    archive: null,
    onProgress: () => undefined,
  });
  return { known, fresh, counts };
}

test("leaves out what the lost master keys sealed, so that a coordinator makes it again", async () => {
  const { known, fresh, counts } = await restoredWith(newSecrets(), []);
  expect(counts.leftOut).toMatchObject({ unopened: 2 });
  expect(counts.unopened).toEqual({ "keys of the node authority": 1, "SSH host keys": 1 });
  expect((await fresh.read([AUTHORITY_KEY, SSH_HOST_KEY])).entries).toEqual([null, null]);
  const made = await openAtStart(fresh, newSecrets());
  expect(made.authority).not.toBe(known.authority);
  expect(made.hostKey).not.toEqual(known.hostKey);
});

test("restores what the master keys of this machine open", async () => {
  const secrets = newSecrets();
  const { known, fresh, counts } = await restoredWith(secrets, secrets.keyIds());
  expect(counts.unopened).toEqual({});
  expect(await openAtStart(fresh, secrets)).toEqual(known);
});
