/** `elastic-coordinator backup-key`: the pair of keys that backups are encrypted with. */
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";

export function backupKeyCommand(context: CommandContext): Command {
  return new Command("backup-key")
    .description("make the pair of keys of backups: the private one into a file, which belongs on no coordinator")
    .requiredOption("--out <file>", "where the private key is written; must not exist")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator backup-key --out backup.key",
        "elastic-coordinator backup-key --out backup.key --json | jq -r .recipient",
      ),
    )
    .action(async ({ out, json }: { readonly out: string; readonly json?: true }) => {
      try {
        // Here, so that the other commands need not load what encrypts.
        const { newKeyPair } = await import("../backup/file/age.ts");
        const { identity, recipient } = await newKeyPair();
        await writeNew(out, `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`);
        const advice =
          `The private key is in ${out}: store it away from the coordinators, more than once. Without it no backup can be ` +
          `restored.\nSet for backups: ELASTIC_BACKUP_RECIPIENT=${recipient}`;
        context.print(json ? JSON.stringify({ recipient, identity_file: out }) : advice);
        return context.done();
      } catch (error) {
        return context.fail(error);
      }
    });
}

function whyNotWritten(path: string, error: NodeJS.ErrnoException): Error {
  if (error.code === "EEXIST") return new Error(`${path} exists: name a new file, so that no key is lost`);
  const why = error.code === "ENOENT" ? `the directory ${dirname(path)} does not exist` : (error.code ?? error.message);
  return new Error(
    `nothing was written: ${path} cannot be made: ${why}. Create the directory or name another file (--out)`,
    {
      cause: error,
    },
  );
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw whyNotWritten(path, error);
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
