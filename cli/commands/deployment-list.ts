import { Command } from "commander";
import { listDeployments } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { deploymentLines } from "../output/deployment-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** `elastic deployment list`: newest first, the one that serves marked. */
export function deploymentList(context: Context): Command {
  return withOutput(withService(new Command("list")))
    .description("list the service's deployments, newest first; the one that serves is marked")
    .addHelpText("after", examples("elastic deployment list", "elastic deployment list --service <service_id> --json"))
    .action(async (options: ServiceOption) => {
      const caller = await openSession(context);
      const deployments = await listDeployments(caller, await chosenServiceId(context, caller, options));
      const text = deployments.length === 0 ? "The service has no deployments." : deploymentLines(deployments);
      context.printer.result({ json: deployments, text });
    });
}
