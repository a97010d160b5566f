import { homedir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { addAuthorizedKey } from "../api/authorized-keys.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { readPublicKeyFile } from "../shell/public-key-file.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic shell key add`: from then on ssh needs no password. */
export function shellKeyAdd(context: Context): Command {
  return withOutput(new Command("add"))
    .description("log into the shells of all your teams with a public key instead of their passwords")
    .argument("[file]", "of ssh-keygen (default: ~/.ssh/id_ed25519.pub)", notEmpty("file"))
    .addHelpText("after", examples("elastic shell key add", "elastic shell key add ~/.ssh/work.pub"))
    .action(async (file: string | undefined) => {
      const line = await readPublicKeyFile(file ?? join(homedir(), ".ssh", "id_ed25519.pub"));
      const key = await addAuthorizedKey(await openSession(context), line);
      context.printer.result({ json: key, text: `Added ${printableLine(key.name)} (${key.fingerprint}).` });
    });
}
