import { Command } from "commander";
import { getWebhook } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findWebhookId } from "../ids/find-id.ts";
import { webhookText } from "../output/webhook-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { linkedService } from "./service-option.ts";

/** `elastic webhook info` */
export function webhookInfo(context: Context): Command {
  return withOutput(new Command("info"))
    .description("show a webhook")
    .argument("<webhook_id>", `as \`elastic webhook list\` shows it, ${OR_PART_OF_ID}`, notEmpty("webhook id"))
    .addHelpText("after", examples("elastic webhook info <webhook_id>"))
    .action(async (given: string) => {
      const caller = await openSession(context);
      const webhook = await getWebhook(caller, await findWebhookId(caller, given, linkedService(context, caller)));
      context.printer.result({ json: webhook, text: webhookText(webhook) });
    });
}
