/** `elastic-coordinator restore`: puts a backup into an etcd that is empty, or holds an older state of the same store. */
import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { restoredJson, restoredText } from "./restored-text.ts";
import { configOf, type Flags, optionOf } from "./setting-options.ts";
import { whyNotStarted } from "./why-not-started.ts";

export interface RestoreFlags {
  readonly identity?: string;
  readonly check?: true;
  readonly restart?: true;
  readonly aboveEpoch?: number;
  readonly disableKeys?: true;
  readonly withoutMasterKeys?: true;
  readonly json?: true;
}

export function restoreCommand(context: CommandContext): Command {
  return new Command("restore")
    .description(
      "put a backup into an empty etcd, or into one with an older state of the same store; coordinators must be stopped",
    )
    .argument("<backup>", "a file, or s3://<bucket>/<prefix>/<name>")
    .option("--identity <file>", "file with the private key that the backup is encrypted to")
    .option(
      "--check",
      "only look: whether it is complete, can be restored, and what would be missing; exits 1 where it would be rejected",
    )
    .option("--disable-keys", "restore every access key disabled, until key enable confirms it")
    .option("--restart", "restore this file although the restore of another one has begun and not ended")
    .option(
      "--above-epoch <number>",
      "give the store an epoch above this one, which it has had, where neither the archive nor this machine knows it",
      readEpoch,
    )
    .option(
      "--without-master-keys",
      "also where the master keys are lost: coordinators make a new node authority and SSH host key, so every machine enrolls again; what else they sealed stays unreadable",
    )
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("archive"))
    .addOption(optionOf("secretsKeyFile"))
    .addOption(optionOf("storeIdentityFile"))
    .addOption(optionOf("blobsDir"))
    .addOption(optionOf("blobs"))
    .addOption(optionOf("s3Endpoint"))
    .addOption(optionOf("s3Region"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator restore /backups/elastic-….backup.age --identity backup.key --check",
        "elastic-coordinator restore /backups/elastic-….backup.age --identity backup.key",
        "elastic-coordinator restore s3://bucket/backups/elastic-….backup.age --identity backup.key --json",
      ),
    )
    .action(async (backup: string, options: RestoreFlags & Flags) => {
      const {
        identity: _,
        check,
        restart: _restart,
        aboveEpoch: _epoch,
        disableKeys: _keys,
        withoutMasterKeys: _lost,
        json,
        ...flags
      } = options;
      const config = configOf(context, { roles: "http", ...flags });
      try {
        // Here, so that the other commands need not load what decrypts.
        const { openTask, runCheck, runRestore } = await import("./run-restore.ts");
        const task = await openTask(context, config, backup, options);
        if (check) {
          const { possible, json: shown, text } = await runCheck(task);
          context.print(json ? JSON.stringify(shown) : text);
          process.exit(possible ? 0 : 1);
        }
        const restored = await runRestore(task);
        context.print(json ? JSON.stringify(restoredJson(restored)) : restoredText(restored));
        return context.done();
      } catch (error) {
        return context.fail(whyNotStarted(error, config) ?? error);
      }
    });
}

function readEpoch(given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It is a number from 1 to 999999999.");
}
