import { Command } from "commander";
import { deletePool } from "../api/pools.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic pool delete` */
export function poolDelete(context: Context): Command {
  return withOutput(new Command("delete"))
    .description("delete a pool that has no machines, and its join tokens")
    .argument("<pool>", "its name", notEmpty("pool"))
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic pool delete h100", "elastic pool delete h100 --yes"))
    .action(async (name: string, options: { readonly yes?: boolean }) => {
      const caller = await openSession(context);
      if (!options.yes) await assertConfirmed(context, `Delete the pool ${printableLine(name)}?`);
      await deletePool(caller, name);
      context.printer.result({ json: { pool: name, deleted: true }, text: `Deleted ${printableLine(name)}.` });
    });
}
