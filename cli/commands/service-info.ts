import { Command } from "commander";
import type { ServiceRecord } from "../api/records.ts";
import { getDeployment, getService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { serviceText } from "../output/service-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, serviceFlag, withService } from "./service-option.ts";

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
      for (const line of remarks(service, options)) printer.note(line);
      const { service_id, next_deployment_id: deployment_id } = service;
      if (!deployment_id) return;
      const next = await getDeployment(caller, { service_id, deployment_id }).catch(() => null);
      const warning = next?.starting?.warning;
      if (warning) printer.note(`Warning: ${warning}.`);
    });
}

/** What the fields leave open where a deployment serves while the newest does not. */
function remarks(service: ServiceRecord, options: ServiceOption): readonly string[] {
  const { failure, current_deployment_id: servingId, next_deployment_id: nextId, image_tag: tag } = service;
  const serving = servingId ? `${servingId} (${tag}) serves` : "none serves";
  if (failure) {
    return [
      `The newest deployment failed: ${failure.reason}: ${failure.message}`,
      `Of the deployments ${serving}; \`elastic deployment list${serviceFlag(options)}\` shows them all.`,
    ];
  }
  return nextId ? [`The deployment ${nextId} is coming up; ${servingId ? serving : "none serves yet"}.`] : [];
}
