import { Command } from "commander";
import { deleteWebhook } from "../api/webhooks.ts";
import type { Context } from "../context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic webhook delete` */
export function webhookDelete(context: Context): Command {
  return withOutput(new Command("delete"))
    .description("delete a webhook, and the list of its deliveries with it")
    .argument("<webhook_id>", "as `elastic webhook list` shows it", notEmpty("webhook id"))
    .addHelpText("after", examples("elastic webhook delete <webhook_id>"))
    .action(async (id: string) => {
      await deleteWebhook(await openSession(context), id);
      context.printer.result({ json: { webhook_id: id, deleted: true }, text: `Deleted ${printableLine(id)}.` });
    });
}
