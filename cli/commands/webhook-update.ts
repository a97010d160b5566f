import { Command, Option } from "commander";
import type { WebhookChange } from "../api/records.ts";
import { changeWebhook } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { usageError } from "../errors/cli-error.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findWebhookId } from "../ids/find-id.ts";
import { webhookText } from "../output/webhook-text.ts";
import { openSession } from "../session/session.ts";
import { type EventTypes, KNOWN_TYPES, parseEventTypes, typesOf } from "../webhooks/event-types.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { linkedService } from "./service-option.ts";

interface Options {
  readonly name?: string;
  readonly url?: string;
  readonly types?: EventTypes;
  readonly enable?: true;
  readonly disable?: true;
}

/** `elastic webhook update`: what is not named stays. */
export function webhookUpdate(context: Context): Command {
  return withOutput(new Command("update"))
    .description("change a webhook, enable or disable it")
    .argument("<webhook_id>", `as \`elastic webhook list\` shows it, ${OR_PART_OF_ID}`, notEmpty("webhook id"))
    .option("--name <name>", "another name", notEmpty("name"))
    .option("--url <url>", "another url", notEmpty("url"))
    .option("--types <types>", `events to send, comma-separated, of ${KNOWN_TYPES.join(", ")}; or all`, parseEventTypes)
    .addOption(new Option("--enable", "send it events again, also after its receiver responded with 410"))
    .addOption(new Option("--disable", "send it nothing; what waits is dropped").conflicts("enable"))
    .addHelpText(
      "after",
      examples(
        "elastic webhook update <webhook_id> --url https://example.com/new",
        "elastic webhook update <webhook_id> --types all --enable",
      ),
    )
    .action(async (given: string, options: Options) => {
      const change = changeOf(options);
      if (Object.keys(change).length === 0) {
        throw usageError("There is nothing to change.", "Name what shall be different; see --help.");
      }
      const caller = await openSession(context);
      const changed = await changeWebhook(
        caller,
        await findWebhookId(caller, given, linkedService(context, caller)),
        change,
      );
      context.printer.result({ json: changed, text: webhookText(changed) });
    });
}

function changeOf({ name, url, types, enable, disable }: Options): WebhookChange {
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...typesOf(types),
    ...(enable ? { enabled: true } : {}),
    ...(disable ? { enabled: false } : {}),
  };
}
