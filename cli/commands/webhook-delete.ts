import { Command } from "commander";
import { deleteWebhook } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findWebhookId } from "../ids/find-id.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { linkedService } from "./service-option.ts";

/** `elastic webhook delete` */
export function webhookDelete(context: Context): Command {
  return withOutput(new Command("delete"))
    .description("delete a webhook, and the list of its deliveries with it")
    .argument("<webhook_id>", `as \`elastic webhook list\` shows it, ${OR_PART_OF_ID}`, notEmpty("webhook id"))
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic webhook delete <webhook_id>", "elastic webhook delete <webhook_id> --yes"))
    .action(async (given: string, options: { readonly yes?: boolean }) => {
      const caller = await openSession(context);
      const id = await findWebhookId(caller, given, linkedService(context, caller));
      if (!options.yes) await assertConfirmed(context, `Delete the webhook ${printableLine(id)}?`);
      await deleteWebhook(caller, id);
      context.printer.result({ json: { webhook_id: id, deleted: true }, text: `Deleted ${printableLine(id)}.` });
    });
}
