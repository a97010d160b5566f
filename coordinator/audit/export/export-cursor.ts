/**
 * How far the audit log was exported. Entries are ordered by ids that begin with a time, and one may be committed after another
 * with a later id: so what was exported of the last minutes is remembered by its id, and looked at again.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";

export interface ExportCursor {
  readonly version: 1;
  /** The greatest id that was exported; empty before the first. */
  readonly newest: string;
  /** Those of the last minutes before it. */
  readonly recent: readonly string[];
}

export const BEGIN: ExportCursor = { version: 1, newest: "", recent: [] };

/** Begins with entries of that time. */
export function beginAt(instant: Instant): ExportCursor {
  return { ...BEGIN, newest: idAt(instant + LATE_MS) };
}

/** Longer than a commit and the clocks of coordinators may be apart. */
const LATE_MS = 10 * 60_000;
const TIME_DIGITS = 12;
const ID_DIGITS = 32;

const schema = z.object({
  version: z.literal(1),
  newest: z.string().refine((text) => text === "" || isId(text)),
  recent: z.array(z.string().refine(isId)),
});

/** Null for what is no cursor. */
export function parseCursor(text: string): ExportCursor | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Entries after this id are looked at. */
export function lookFrom({ newest }: ExportCursor): string {
  return newest === "" ? "" : idAt(timeOf(newest) - LATE_MS);
}

export function advance(cursor: ExportCursor, exported: readonly string[]): ExportCursor {
  const newest = [cursor.newest, ...exported].toSorted().at(-1) ?? "";
  const from = lookFrom({ ...cursor, newest });
  return { version: 1, newest, recent: [...cursor.recent, ...exported].filter((id) => id > from) };
}

/** When the entry was made. */
export function timeOf(id: string): Instant {
  return Number.parseInt(id.slice(0, TIME_DIGITS), 16);
}

/** Before every id of that time. */
export function idAt(instant: Instant): string {
  return Math.max(0, instant).toString(16).padStart(TIME_DIGITS, "0").padEnd(ID_DIGITS, "0");
}

/** The greatest id before this one. */
export function idBefore(id: string): string {
  return (BigInt(`0x${id}`) - 1n).toString(16).padStart(ID_DIGITS, "0");
}
