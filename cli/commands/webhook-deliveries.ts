import { Command, Option } from "commander";
import type { DeliveryState } from "../api/records.ts";
import { listDeliveries } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findWebhookId } from "../ids/find-id.ts";
import { deliveryLines } from "../output/webhook-text.ts";
import { openSession } from "../session/session.ts";
import { parseOrdinal } from "./counts.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { linkedService } from "./service-option.ts";

const SIZE_DEFAULT = 20;
const SIZE_MAX = 100;

interface Options {
  readonly state?: DeliveryState;
  readonly page: number;
  readonly size: number;
}

/** `elastic webhook deliveries`: what was sent to a webhook, and how that went. */
export function webhookDeliveries(context: Context): Command {
  return withOutput(new Command("deliveries"))
    .description("list what was sent to a webhook, newest first, with how it went")
    .argument("<webhook_id>", `as \`elastic webhook list\` shows it, ${OR_PART_OF_ID}`, notEmpty("webhook id"))
    .addOption(new Option("--state <state>", "of these only").choices(["pending", "delivered", "failed", "dropped"]))
    .option("--page <number>", "which page", parseOrdinal, 1)
    .option("--size <number>", `how many on a page, up to ${SIZE_MAX}`, parseOrdinal, SIZE_DEFAULT)
    .addHelpText(
      "after",
      examples("elastic webhook deliveries <webhook_id>", "elastic webhook deliveries <webhook_id> --state failed"),
    )
    .action(async (given: string, { state, page, size }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const id = await findWebhookId(caller, given, linkedService(context, caller));
      const list = await listDeliveries(caller, id, { state, page, size });
      const none = list.total === 0 && state === undefined ? "no deliveries" : "no such deliveries";
      printer.result({
        json: list.items,
        text: list.items.length === 0 ? `The webhook has ${none}.` : deliveryLines(list.items),
      });
      if (list.pages > page) printer.note(`Page ${page} of ${list.pages}: --page ${page + 1} shows more.`);
    });
}
