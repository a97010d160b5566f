/** Exports the audit log to a sink, and remembers how far it came: at least once, after a crash some again. */
import type { Instant } from "@elastic/std/clock.ts";
import { advance, type ExportCursor } from "./export-cursor.ts";
import { type ExportRecord, entryRecord, gapRecord } from "./export-record.ts";
import { type AuditSource, readNewEntries } from "./read-new-entries.ts";

const BATCH_ENTRIES = 500;

export interface ExportOptions {
  readonly source: AuditSource;
  readonly cursor: ExportCursor;
  readonly retainedFrom: () => Instant;
  /** Resolves when these are exported. */
  readonly write: (records: readonly ExportRecord[]) => Promise<void>;
  /** Stores it, before any further are exported. */
  readonly reached: (cursor: ExportCursor) => void;
}

export interface Exported {
  readonly cursor: ExportCursor;
  readonly entries: number;
  readonly gaps: number;
}

/** All that there is now. A gap comes before the entry that names what is missing. */
export async function exportAudit(options: ExportOptions): Promise<Exported> {
  const { source, retainedFrom, write, reached } = options;
  let { cursor } = options;
  const count = { entries: 0, gaps: 0 };
  for (;;) {
    const read = { limit: BATCH_ENTRIES, retainedFrom: retainedFrom() };
    const { entries, gaps, hasMore } = await readNewEntries(source, cursor, read);
    if (entries.length > 0) {
      await write([...gaps.map(gapRecord), ...entries.map(entryRecord)]);
      cursor = advance(
        cursor,
        entries.map(({ id }) => id),
      );
      reached(cursor);
    }
    count.entries += entries.length;
    count.gaps += gaps.length;
    if (!hasMore) return { cursor, ...count };
  }
}
