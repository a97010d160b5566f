/** Backups for tests: of a store in memory, in a directory, with a pair of keys. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kv } from "../../store/kv.ts";
import { newKeyPair } from "../file/age.ts";
import type { BackupHeader } from "../file/header.ts";
import { directoryPlace } from "../place/directory-place.ts";
import { type BackupOptions, takeBackup } from "../take/take-backup.ts";

export const TAKEN_AT = 1_800_000_000_000;

export function aHeader(given: Partial<BackupHeader> = {}): BackupHeader {
  return {
    format: "elastic-backup",
    version: 1,
    storeId: "0".repeat(31).concat("b"),
    epoch: 1,
    schemaVersion: 1,
    clusterId: "7",
    revision: 100,
    takenAt: TAKEN_AT,
    archive: { id: "archive", newestAuditId: "" },
    masterKeys: ["0a1b2c3d"],
    ...given,
  };
}

/** A directory of backups, and the keys that they are encrypted with. */
export async function backupsInDirectory() {
  const dir = mkdtempSync(join(tmpdir(), "backups-"));
  const { identity, recipient } = await newKeyPair();
  const place = directoryPlace(dir);
  const take = (kv: Pick<Kv, "range" | "read">, given: Partial<BackupOptions> = {}) =>
    takeBackup({
      kv,
      clusterId: () => "7",
      archive: { id: "archive", newestAuditId: "" },
      masterKeys: ["0a1b2c3d"],
      recipient,
      place,
      keep: null,
      clock: { now: () => TAKEN_AT },
      onProgress: () => undefined,
      ...given,
    });
  return { dir, identity, recipient, place, take, [Symbol.dispose]: () => rmSync(dir, { recursive: true }) };
}
