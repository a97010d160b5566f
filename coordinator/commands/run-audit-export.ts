/** Opens what an export of the audit log reads and writes, and runs it. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@elastic/std/clock.ts";
import { type Exported, exportAudit } from "../audit/export/export-audit.ts";
import type { ExportRecord } from "../audit/export/export-record.ts";
import type { AuditSource } from "../audit/export/read-new-entries.ts";
import { syslogMessage } from "../audit/export/syslog-message.ts";
import { type SyslogAddress, syslogTarget } from "../audit/export/syslog-target.ts";
import type { Config } from "../config/config.ts";
import type { AuditEntry } from "../domain/audit-entry.ts";
import type { Kv } from "../store/kv.ts";
import { readAll } from "../store/read-all.ts";
import { checkCursorFile, readCursor, storeCursor } from "./audit-cursor-file.ts";
import { connect, progressLine, readArchive } from "./backup-access.ts";
import type { CommandContext } from "./command-context.ts";
import { OutputError } from "./write-output.ts";

export interface WantedExport {
  readonly follow: boolean;
  /** Standard output where it is null. */
  readonly syslog: { readonly address: SyslogAddress; readonly caFile: string | null } | null;
  readonly cursorFile: string | null;
  readonly from: number | null;
}

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 2_000;

export async function runAuditExport(
  context: CommandContext,
  config: Config,
  { follow, syslog, cursorFile, from }: WantedExport,
): Promise<Pick<Exported, "entries" | "gaps">> {
  let cursor = readCursor(cursorFile, from);
  if (cursorFile !== null) checkCursorFile(cursorFile);
  const ca = syslog?.caFile ? readFileSync(syslog.caFile) : undefined;
  const target = syslog === null ? null : syslogTarget(syslog.address, ca);
  const { kv } = connect(config);
  const { archive, whyUnread } = await readArchive(config);
  if (archive === null) throw new Error(`${whyUnread}; nothing was exported`);
  const source: AuditSource = {
    live: () => liveEntries(kv),
    after: (id, limit) => archive.auditAfter(id, limit),
  };
  const total = { entries: 0, gaps: 0 };
  const progress = progressLine(context, (count) => `${count} entries exported so far`);
  const turn = async () => {
    const { entries, gaps } = await exportAudit({
      source,
      cursor,
      retainedFrom: () => systemClock.now() - DAY_MS * config.auditRetention,
      write: async (records) => {
        if (target === null) await print(context, records, cursorFile);
        else await target.send(records.map((record) => syslogMessage(record, hostname())));
      },
      reached: (reached) => {
        cursor = reached;
        if (cursorFile !== null) storeCursor(cursorFile, reached);
        if (!follow) progress(total.entries);
      },
    });
    total.entries += entries;
    total.gaps += gaps;
    if (gaps > 0)
      context.progress(`${gaps} audit entries that others name are gone: see "missing_entry_id" in the export`);
  };
  await turn();
  let complaint = "";
  while (follow) {
    await delay(LOOK_EVERY_MS);
    // What could not be read or sent is read and sent with the next turn.
    const now = await turn().then(
      () => "",
      (error: unknown) => {
        // A line that was cut cannot be completed, and a reader that has ended does not return.
        if (error instanceof OutputError) throw error;
        return `not exported yet, and tried again: ${(error as Error).message}`;
      },
    );
    if (now !== "" && now !== complaint) context.progress(now);
    complaint = now;
  }
  target?.close();
  await archive.close();
  await kv.close();
  return total;
}

async function liveEntries(kv: Kv): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of readAll(kv, "audit-entries")) entries.push(entry);
  return entries;
}

async function print(context: CommandContext, records: readonly ExportRecord[], cursorFile: string | null) {
  try {
    await context.write(records.map(({ json }) => `${json}\n`).join(""));
  } catch (error) {
    const next =
      cursorFile === null ? "" : `; ${cursorFile} stays before them, so the next export with it has them all`;
    throw new OutputError(
      `${(error as Error).message}: of the last ${records.length} entries some were not exported${next}. Make room or write elsewhere, ` +
        "and remove the last line of this output if it is incomplete",
    );
  }
}
