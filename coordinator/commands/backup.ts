/** `elastic-coordinator backup`: an encrypted copy of what etcd has, while coordinators run. */
import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { configOf, type Flags, optionOf } from "./setting-options.ts";
import { whyNotStarted } from "./why-not-started.ts";

interface Options extends Flags {
  readonly to: string;
  readonly recipient?: string;
  readonly keep?: number;
  readonly withoutArchive?: true;
  readonly json?: true;
}

export function backupCommand(context: CommandContext): Command {
  return new Command("backup")
    .description("write an encrypted backup of etcd's records while coordinators run, and read it back")
    .requiredOption("--to <place>", "a directory that exists, or s3://<bucket>/<prefix>")
    .option("--keep <number>", "then remove the oldest backups of this store there, but for so many", readKeep)
    .option("--without-archive", "also where the archive cannot be read: a restore disables every access key then")
    .option("--json", "print one JSON object")
    .option("--recipient <key>", "public key of age (age1…) that it is encrypted to (ELASTIC_BACKUP_RECIPIENT)")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("archive"))
    .addOption(optionOf("secretsKeyFile"))
    .addOption(optionOf("storeIdentityFile"))
    .addOption(optionOf("s3Endpoint"))
    .addOption(optionOf("s3Region"))
    .addHelpText(
      "after",
      examples(
        "ELASTIC_BACKUP_RECIPIENT=age1… elastic-coordinator backup --to /backups --keep 48",
        "elastic-coordinator backup --recipient age1… --to s3://bucket/backups --json",
      ),
    )
    .action(async ({ to, recipient, keep, withoutArchive, json, ...flags }: Options) => {
      const given = recipient === undefined ? {} : { backupRecipient: recipient };
      const config = configOf(context, { roles: "http", ...flags, ...given });
      try {
        // Here, so that the other commands need not load what encrypts.
        const { backupJson, backupText, runBackup } = await import("./run-backup.ts");
        const taken = await runBackup(context, config, {
          to,
          keep: keep ?? null,
          withoutArchive: withoutArchive === true,
        });
        context.print(json ? JSON.stringify(backupJson(taken, to)) : backupText(taken, to));
        return context.done();
      } catch (error) {
        return context.fail(whyNotStarted(error, config) ?? error);
      }
    });
}

function readKeep(given: string): number {
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It is a number from 1 to 999999.");
}
