/** `elastic-coordinator audit export`: the audit log of all teams for a log archive or a SIEM, once or as it grows. */
import { Command, InvalidArgumentError } from "commander";
import { parseSyslogAddress, type SyslogAddress } from "../audit/export/syslog-target.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { configOf, type Flags, optionOf } from "./setting-options.ts";
import { whyNotStarted } from "./why-not-started.ts";

interface Options extends Flags {
  readonly follow?: true;
  readonly jsonl?: true;
  readonly syslog?: SyslogAddress;
  readonly syslogCa?: string;
  readonly cursor?: string;
  readonly from?: number;
}

const ABOUT = `
Entries come at least once, in the order in which they were made; after a crash some come again, with the same
entry_id. With --cursor the next export resumes where this one ended. An entry that was committed and is gone is
reported as a gap ("missing_entry_id", syslog severity alert), and the command exits with 1.`;

export function auditExportCommand(context: CommandContext): Command {
  return new Command("export")
    .description("export the audit log of all teams, from etcd and the archive")
    .option("--jsonl", "to standard output, one JSON object a line: the default")
    .option(
      "--syslog <address>",
      "as syslog (RFC 5424) to udp://host, tcp://host, tls://host or unix:/path",
      readAddress,
    )
    .option("--syslog-ca <file>", "authority of the receiver's certificate, with tls://; the public ones if left out")
    .option("--follow", "continue with what is added, until it is ended")
    .option("--cursor <file>", "where it resumes, and remembers how far it came")
    .option("--from <time>", "without an earlier cursor: begin here, as 2026-11-26 or 2026-11-26T18:00:00Z", readTime)
    .addOption(optionOf("etcd"))
    .addOption(optionOf("archive"))
    .addOption(optionOf("auditRetention"))
    .addHelpText(
      "after",
      ABOUT +
        examples(
          "elastic-coordinator audit export --jsonl --from 2026-11-01 > audit.jsonl",
          "elastic-coordinator audit export --follow --cursor /var/lib/elastic/audit.cursor --syslog tls://siem.example:6514",
        ),
    )
    .action(async ({ follow, jsonl, syslog, syslogCa, cursor, from, ...flags }: Options, command: Command) => {
      if (jsonl && syslog !== undefined)
        command.error("error: --jsonl and --syslog are two ways: choose one", { exitCode: 2 });
      const config = configOf(context, { roles: "http", ...flags });
      try {
        // Here, so that the other commands need not load the archive.
        const { runAuditExport } = await import("./run-audit-export.ts");
        const to = syslog === undefined ? null : { address: syslog, caFile: syslogCa ?? null };
        const wanted = { follow: follow === true, syslog: to, cursorFile: cursor ?? null, from: from ?? null };
        const { entries, gaps } = await runAuditExport(context, config, wanted);
        if (gaps > 0)
          throw new Error(
            `${gaps} of the entries that others name are gone: see "missing_entry_id" in what was exported; ${entries} entries were exported`,
          );
        return context.done();
      } catch (error) {
        return context.fail(whyNotStarted(error, config) ?? error);
      }
    });
}

function readAddress(given: string): SyslogAddress {
  const address = parseSyslogAddress(given);
  if (address === null)
    throw new InvalidArgumentError("It is such as udp://host:514, tls://host:6514 or unix:/run/syslog.sock.");
  return address;
}

function readTime(given: string): number {
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError("It is such as 2026-11-26 or 2026-11-26T18:00:00Z, in UTC.");
  return at;
}
