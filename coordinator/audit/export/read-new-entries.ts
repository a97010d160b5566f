/** The next entries that were not exported, and those that entries name and that are gone. */
import type { Instant } from "@elastic/std/clock.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { type ExportCursor, idBefore, lookFrom, timeOf } from "./export-cursor.ts";

export interface AuditSource {
  /** Those that have not moved to the archive. */
  live(): Promise<readonly AuditEntry[]>;
  /** Of the archive, in the order of their ids. */
  after(id: string, limit: number): Promise<readonly AuditEntry[]>;
}

/** An entry that was committed, and that is in neither place. */
export interface AuditGap {
  readonly missing: string;
  readonly namedBy: string;
}

export interface NewEntries {
  readonly entries: readonly AuditEntry[];
  readonly gaps: readonly AuditGap[];
  /** There are more at once. */
  readonly hasMore: boolean;
}

export interface ReadOptions {
  readonly limit: number;
  /** What is older may have been removed for its age. */
  readonly retainedFrom: Instant;
}

export async function readNewEntries(
  source: AuditSource,
  cursor: ExportCursor,
  { limit, retainedFrom }: ReadOptions,
): Promise<NewEntries> {
  const seen = new Set(cursor.recent);
  // Those that have not moved are read first: what has left by then is in the archive.
  const live = await source.live();
  const { archived, isFull } = await archivedAfter(source, cursor, seen, limit);
  const last = archived.at(-1)?.id ?? "";
  const from = lookFrom(cursor);
  const found = new Map(archived.map((entry) => [entry.id, entry]));
  for (const entry of live) {
    // Beyond a full page there may be archived ones before it.
    if (entry.id > from && !seen.has(entry.id) && (!isFull || entry.id <= last)) found.set(entry.id, entry);
  }
  const entries = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { entries, gaps: await gapsIn(source, entries, seen, retainedFrom), hasMore: isFull };
}

async function archivedAfter(source: AuditSource, cursor: ExportCursor, seen: ReadonlySet<string>, limit: number) {
  const archived: AuditEntry[] = [];
  let from = lookFrom(cursor);
  for (;;) {
    const page = await source.after(from, limit);
    archived.push(...page.filter(({ id }) => !seen.has(id)));
    if (page.length < limit) return { archived, isFull: false };
    if (archived.length > 0) return { archived, isFull: true };
    from = page.at(-1)?.id ?? from;
  }
}

async function gapsIn(
  source: AuditSource,
  entries: readonly AuditEntry[],
  seen: ReadonlySet<string>,
  retainedFrom: Instant,
): Promise<readonly AuditGap[]> {
  const here = new Set(entries.map(({ id }) => id));
  const gaps: AuditGap[] = [];
  for (const { id: namedBy, follows = [] } of entries) {
    for (const id of follows) {
      if (here.has(id) || seen.has(id) || timeOf(id) < retainedFrom) continue;
      if (!(await isThere(source, id))) gaps.push({ missing: id, namedBy });
    }
  }
  return gaps;
}

/** Looked up again: it may have moved while the others were read. */
async function isThere(source: AuditSource, id: string): Promise<boolean> {
  if ((await source.live()).some((entry) => entry.id === id)) return true;
  const [next] = await source.after(idBefore(id), 1);
  return next?.id === id;
}
