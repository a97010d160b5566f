import { Command } from "commander";
import { testWebhook } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findWebhookId } from "../ids/find-id.ts";
import { lastAttempt } from "../output/webhook-text.ts";
import { openSession } from "../session/session.ts";
import { awaitDelivery } from "../webhooks/await-delivery.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { linkedService } from "./service-option.ts";

/** `elastic webhook test`: sends an event of type `webhook.test` and says what came of it. */
export function webhookTest(context: Context): Command {
  return withOutput(new Command("test"))
    .description("send a test event and say whether it was taken")
    .argument("<webhook_id>", `as \`elastic webhook list\` shows it, ${OR_PART_OF_ID}`, notEmpty("webhook id"))
    .addHelpText("after", examples("elastic webhook test <webhook_id>"))
    .action(async (given: string) => {
      const caller = await openSession(context);
      const id = await findWebhookId(caller, given, linkedService(context, caller));
      const delivery = await awaitDelivery(context, caller, await testWebhook(caller, id));
      context.printer.result({ json: delivery, text: `Delivered: ${lastAttempt(delivery)}.` });
    });
}
