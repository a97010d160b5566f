/** What happened after a backup, by the archive, which is outside of etcd. */
import type { Instant } from "@elastic/std/clock.ts";
import type { ArchiveReader } from "../../archive/sql/read-archive.ts";
import { firstIdAt, timeOfId } from "../../domain/id-range.ts";
import type { BackupHeader } from "../file/header.ts";
import { LaterChanges } from "./later-changes.ts";

/** Clocks of coordinators, and of whoever takes backups, differ by less. */
const CLOCKS_DIFFER_MS = 5 * 60_000;
const PAGE_ENTRIES = 1_000;

export interface History {
  readonly later: LaterChanges;
  /** Why what was ended after the backup is not known; null where it is. */
  readonly unknownBecause: string | null;
  /** What an operator should know of how it was read. */
  readonly warnings: readonly string[];
}

/** `archive` is null where it cannot be read, for the reason given. */
export async function readHistory(
  archive: ArchiveReader | null,
  whyUnread: string,
  header: BackupHeader,
  now: Instant,
): Promise<History> {
  const later = new LaterChanges();
  const unknown = (unknownBecause: string): History => ({ later, unknownBecause, warnings: [] });
  if (archive === null) return unknown(whyUnread);
  const mark = header.archive;
  if (mark === null) return unknown("the store had no archive when the backup was taken");
  if (archive.id !== mark.id) return unknown("the archive is not that of the backup's store");
  const newestId = mark.newestAuditId;
  if (newestId === null) return unknown("the archive could not be read when the backup was taken");
  if ((await archive.newestAuditId()) < newestId) {
    return unknown("the archive is older than the backup: its newest audit entries are missing");
  }
  const { takenAt } = header;
  // Whichever clock was behind the other: whoever takes a backup has another one than those who wrote the entries.
  const from = Math.min(takenAt, timeOfId(newestId)) - CLOCKS_DIFFER_MS;
  if (from > now) {
    return unknown(
      `the backup and its newest audit entry are of the future by this machine's clock (taken ${timeText(takenAt)} UTC), so ` +
        "entries of clocks that are right may come before those: where this clock is behind, set it and repeat",
    );
  }
  let warning = takenAt - CLOCKS_DIFFER_MS > now ? OF_THE_FUTURE : null;
  let after = firstIdAt(from);
  for (;;) {
    const entries = await archive.auditAfter(after, PAGE_ENTRIES);
    for (const entry of entries) {
      const isUnknownToBackup = entry.id > newestId;
      if (isUnknownToBackup && entry.at < takenAt - CLOCKS_DIFFER_MS) warning ??= WRITTEN_EARLIER;
      later.add(entry, warning === null ? entry.at >= takenAt : isUnknownToBackup);
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE_ENTRIES) {
      const warnings =
        warning === null ? [] : [`the backup says that it was taken ${timeText(takenAt)} UTC: ${warning}`];
      return { later, unknownBecause: whyIncomplete(later), warnings };
    }
    after = last.id;
  }
}

const FROM_NEWEST = "What was changed later is read from the newest audit entry that the backup knows";
const OF_THE_FUTURE = `this machine's clock is behind that, or the one that took it was ahead. ${FROM_NEWEST}; set the clock`;
const WRITTEN_EARLIER =
  "entries that came to the archive after it are of more than five minutes before, so the clock that took it was ahead, or the " +
  `audit log moved late. ${FROM_NEWEST}`;

function timeText(at: Instant): string {
  return new Date(at).toISOString().slice(0, 19);
}

function whyIncomplete(later: LaterChanges): string | null {
  const entry = later.cutEntry();
  if (entry === null) return null;
  return (
    `the audit entry ${entry.id} (${entry.action}, ${timeText(entry.at)} UTC) may not name all that ended with it: an earlier version wrote it, ` +
    "which cut long lists"
  );
}
