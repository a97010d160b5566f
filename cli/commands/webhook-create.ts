import { Command } from "commander";
import { createWebhook } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { webhookText } from "../output/webhook-text.ts";
import { openSession } from "../session/session.ts";
import { type EventTypes, KNOWN_TYPES, parseEventTypes, typesOf } from "../webhooks/event-types.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

interface Options extends ServiceOption {
  readonly types?: EventTypes;
}

/** `elastic webhook create`: the secret is printed once. */
export function webhookCreate(context: Context): Command {
  return withOutput(withService(new Command("create")))
    .description("push the service's results to a url; prints the secret that signs them, once")
    .argument("<name>", "what you will know it by", notEmpty("name"))
    .argument("<url>", "where they are posted; https, and reachable from outside", notEmpty("url"))
    .option(
      "--types <types>",
      `events to send, comma-separated, of ${KNOWN_TYPES.join(", ")} (default: all)`,
      parseEventTypes,
    )
    .addHelpText(
      "after",
      examples(
        "elastic webhook create results https://example.com/hooks",
        "elastic webhook create failures https://example.com/hooks --types task.failed,task.timed_out",
      ),
    )
    .action(async (name: string, url: string, options: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const made = await createWebhook(caller, serviceId, { name, url, ...typesOf(options.types) });
      printer.result({ json: made, text: webhookText(made) });
      printer.note(`The secret is shown once. \`elastic webhook test ${made.webhook_id}\` sends a first event.`);
    });
}
