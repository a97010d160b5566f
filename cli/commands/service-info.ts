import { Command } from "commander";
import { getService } from "../api/services.ts";
import type { Context } from "../context.ts";
import { serviceText } from "../output/service-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** `elastic service info`: what the directory's service is and whether it is ready. */
export function serviceInfo(context: Context): Command {
  return withOutput(withService(new Command("info")))
    .description("show the service: id, name, team, state, creation time, url, image tag")
    .addHelpText("after", examples("elastic service info", "elastic service info --service <service_id> --json"))
    .action(async (options: ServiceOption) => {
      const { printer } = context;
      const caller = await openSession(context);
      const service = await getService(caller, await chosenServiceId(context, caller, options));
      printer.result({ json: service, text: serviceText(service) });
      if (service.failure !== null) printer.note(`Failed: ${service.failure.reason}: ${service.failure.message}`);
    });
}
