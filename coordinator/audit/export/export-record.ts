/** An audit entry, and a gap in the log, as programs read them: one JSON object each, in the words of the HTTP interface. */
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { timeOf } from "./export-cursor.ts";
import type { AuditGap } from "./read-new-entries.ts";

export interface ExportRecord {
  readonly kind: "entry" | "gap";
  readonly at: string;
  /** One line, in ASCII. */
  readonly json: string;
}

export function entryRecord(entry: AuditEntry): ExportRecord {
  const { id, at, teamId, action, userId, credential, address, requestId, object, also, before, after } = entry;
  const created = new Date(at).toISOString();
  const record = {
    entry_id: id,
    created,
    team_id: teamId === "" ? null : teamId,
    action,
    user_id: userId,
    credential,
    address,
    request_id: requestId,
    object,
    also,
    also_left_out: entry.alsoLeftOut ?? null,
    before,
    after,
    follows: entry.follows ?? [],
  };
  return { kind: "entry", at: created, json: asciiJson(record) };
}

export function gapRecord({ missing, namedBy }: AuditGap): ExportRecord {
  const created = new Date(timeOf(missing)).toISOString();
  const record = { missing_entry_id: missing, created, named_by: namedBy };
  return { kind: "gap", at: created, json: asciiJson(record) };
}

/** Receivers of lines differ in what they make of other characters. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
