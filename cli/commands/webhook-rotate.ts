import { Command } from "commander";
import { rotateWebhookSecret } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findWebhookId } from "../ids/find-id.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { linkedService } from "./service-option.ts";

/** `elastic webhook rotate`: the new secret is printed once. */
export function webhookRotate(context: Context): Command {
  return withOutput(new Command("rotate"))
    .description("give a webhook a new secret: prints it, once")
    .argument("<webhook_id>", `as \`elastic webhook list\` shows it, ${OR_PART_OF_ID}`, notEmpty("webhook id"))
    .addHelpText("after", examples("elastic webhook rotate <webhook_id>"))
    .action(async (given: string) => {
      const { printer } = context;
      const caller = await openSession(context);
      const rotated = await rotateWebhookSecret(
        caller,
        await findWebhookId(caller, given, linkedService(context, caller)),
      );
      printer.result({ json: rotated, text: printableLine(rotated.secret) });
      printer.note(`The secret is shown once. The previous one signs too until ${rotated.old_secret_expires} UTC.`);
    });
}
