/** Messages of syslog as RFC 5424 has them, with the record as JSON for a text. */
import type { ExportRecord } from "./export-record.ts";

/** "log audit" (13). */
const FACILITY = 13;
const SEVERITIES = { entry: 5, gap: 1 } as const;
const HOST_CHARS_MAX = 255;

export function syslogMessage({ kind, at, json }: ExportRecord, host: string): string {
  const priority = FACILITY * 8 + SEVERITIES[kind];
  const shown = host.replaceAll(/[^!-~]/g, "").slice(0, HOST_CHARS_MAX) || "-";
  return `<${priority}>1 ${at} ${shown} elastic-coordinator - audit-${kind} - ${json}`;
}
