import { Command } from "commander";
import { redeliver } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findDeliveryId } from "../ids/find-id.ts";
import { deliveryText } from "../output/webhook-text.ts";
import { openSession } from "../session/session.ts";
import { awaitDelivery } from "../webhooks/await-delivery.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { linkedService } from "./service-option.ts";

/** `elastic webhook redeliver`: sends a delivery again under the same id, whatever became of it. */
export function webhookRedeliver(context: Context): Command {
  return withOutput(new Command("redeliver"))
    .description("send a delivery again, at once, under the same id")
    .argument("<delivery_id>", `as \`elastic webhook deliveries\` shows it, ${OR_PART_OF_ID}`, notEmpty("delivery id"))
    .addHelpText("after", examples("elastic webhook redeliver <delivery_id>"))
    .action(async (given: string) => {
      const caller = await openSession(context);
      const id = await findDeliveryId(caller, given, linkedService(context, caller));
      const delivery = await awaitDelivery(context, caller, await redeliver(caller, id));
      context.printer.result({ json: delivery, text: deliveryText(delivery) });
    });
}
