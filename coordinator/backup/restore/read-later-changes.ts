/** What happened after a backup, by the archive, which is outside of etcd. */
import type { ArchiveReader } from "../../archive/sql/read-archive.ts";
import { firstIdAt } from "../../domain/id-range.ts";
import type { BackupHeader } from "../file/header.ts";
import { LaterChanges } from "./later-changes.ts";

/** Clocks of coordinators, and of whoever takes backups, differ by less. */
const CLOCKS_DIFFER_MS = 5 * 60_000;
const PAGE_ENTRIES = 1_000;

export interface History {
  readonly later: LaterChanges;
  /** Why what was ended after the backup is not known; null where it is. */
  readonly unknownBecause: string | null;
}

/** `archive` is null where it cannot be read, for the reason given. */
export async function readHistory(
  archive: ArchiveReader | null,
  whyUnread: string,
  header: BackupHeader,
): Promise<History> {
  const later = new LaterChanges();
  const unknown = (unknownBecause: string): History => ({ later, unknownBecause });
  if (archive === null) return unknown(whyUnread);
  const mark = header.archive;
  if (mark === null) return unknown("the store had no archive when the backup was taken");
  if (archive.id !== mark.id) return unknown("the archive is not that of the backup's store");
  if (mark.newestAuditId === null) return unknown("the archive could not be read when the backup was taken");
  if ((await archive.newestAuditId()) < mark.newestAuditId) {
    return unknown("the archive is older than the backup: its newest audit entries are missing");
  }
  let after = firstIdAt(header.takenAt - CLOCKS_DIFFER_MS);
  for (;;) {
    const entries = await archive.auditAfter(after, PAGE_ENTRIES);
    for (const entry of entries) later.add(entry, entry.at >= header.takenAt);
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE_ENTRIES) return { later, unknownBecause: whyIncomplete(later) };
    after = last.id;
  }
}

function whyIncomplete(later: LaterChanges): string | null {
  const entry = later.cutEntry();
  if (entry === null) return null;
  const at = new Date(entry.at).toISOString().slice(0, 19);
  return (
    `the audit entry ${entry.id} (${entry.action}, ${at} UTC) may not name all that ended with it: an earlier version wrote it, ` +
    "which cut long lists"
  );
}
