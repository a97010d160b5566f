import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { examples } from "./examples.ts";
import { webhookCreate } from "./webhook-create.ts";
import { webhookDelete } from "./webhook-delete.ts";
import { webhookDeliveries } from "./webhook-deliveries.ts";
import { webhookInfo } from "./webhook-info.ts";
import { webhookList } from "./webhook-list.ts";
import { webhookRedeliver } from "./webhook-redeliver.ts";
import { webhookRotate } from "./webhook-rotate.ts";
import { webhookTest } from "./webhook-test.ts";
import { webhookUpdate } from "./webhook-update.ts";

/** `elastic webhook …` */
export function webhookGroup(context: Context): Command {
  return new Command("webhook")
    .description("where the service's results are pushed to")
    .addCommand(webhookCreate(context))
    .addCommand(webhookList(context))
    .addCommand(webhookInfo(context))
    .addCommand(webhookUpdate(context))
    .addCommand(webhookDelete(context))
    .addCommand(webhookTest(context))
    .addCommand(webhookRotate(context))
    .addCommand(webhookDeliveries(context))
    .addCommand(webhookRedeliver(context))
    .addHelpText(
      "after",
      examples("elastic webhook create results https://example.com/hooks", "elastic webhook test <webhook_id>"),
    );
}
