import { Command } from "commander";
import { getDeployment } from "../api/services.ts";
import { getVolume } from "../api/volumes.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findDeploymentId } from "../ids/find-id.ts";
import { deploymentText } from "../output/deployment-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** `elastic deployment info`: what it is, how far its roll-out is, and why it failed. */
export function deploymentInfo(context: Context): Command {
  return withOutput(withService(new Command("info")))
    .description("show a deployment: its image and settings, how far its roll-out is, and why it failed")
    .argument("<deployment_id>", `as \`elastic deployment list\` shows it, ${OR_PART_OF_ID}`, notEmpty("deployment id"))
    .addHelpText("after", examples("elastic deployment info <deployment_id>"))
    .action(async (given: string, options: ServiceOption) => {
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const deploymentId = await findDeploymentId(caller, serviceId, given);
      const deployment = await getDeployment(caller, { service_id: serviceId, deployment_id: deploymentId });
      const { volume_id: volumeId } = deployment;
      // Only its name is missing where the volume is gone.
      const volume = volumeId ? await getVolume(caller, volumeId).catch(() => null) : null;
      context.printer.result({ json: deployment, text: deploymentText(deployment, volume?.name ?? null) });
    });
}
