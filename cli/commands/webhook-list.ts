import { Command } from "commander";
import { listWebhooks } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { webhookLines } from "../output/webhook-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** `elastic webhook list` */
export function webhookList(context: Context): Command {
  return withOutput(withService(new Command("list")))
    .description("list the service's webhooks")
    .addHelpText("after", examples("elastic webhook list", "elastic webhook list --service <service_id> --json"))
    .action(async (options: ServiceOption) => {
      const caller = await openSession(context);
      const webhooks = await listWebhooks(caller, await chosenServiceId(context, caller, options));
      const text = webhooks.length === 0 ? "The service has no webhooks." : webhookLines(webhooks);
      context.printer.result({ json: webhooks, text });
    });
}
