import { Command, Option } from "commander";
import { rollBack } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { awaitReady } from "../deploy/await-ready.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findDeploymentId } from "../ids/find-id.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { parseCount } from "./counts.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** As `elastic deploy` waits. */
const WAIT_S = 900;

interface Options extends ServiceOption {
  readonly wait: boolean;
  readonly timeout?: number;
}

/** `elastic deployment rollback`: deploys again what an earlier deployment was. */
export function deploymentRollback(context: Context): Command {
  return withOutput(withService(new Command("rollback")))
    .description("go back to an earlier deployment: the same image by digest, environment and data volume")
    .argument(
      "[deployment_id]",
      `the one to repeat, by its id, ${OR_PART_OF_ID} (default: the one that was ready before)`,
      notEmpty("deployment id"),
    )
    .addOption(new Option("--wait", "the default").default(true).hideHelp())
    .option("--no-wait", "do not wait until it serves")
    .option("--timeout <seconds>", `how long to wait (default: ${WAIT_S})`, parseCount)
    .addHelpText("after", examples("elastic deployment rollback", "elastic deployment rollback <deployment_id>"))
    .action(async (earlierId: string | undefined, options: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const completeId = earlierId === undefined ? undefined : await findDeploymentId(caller, serviceId, earlierId);
      const deployment = await rollBack(caller, serviceId, completeId);
      const { deployment_id: id, rollback_of: of, tag } = deployment;
      printer.note(`Going back to ${of ?? "an earlier deployment"} (${tag}) as ${id}.`);
      if (!options.wait) {
        printer.result({
          json: deployment,
          text: `Deploying ${printableLine(deployment.image)} as ${printableLine(id)}.`,
        });
        return;
      }
      const ready = await awaitReady(context, caller, deployment, (options.timeout ?? WAIT_S) * 1000);
      printer.result({
        json: { ...ready.deployment, service: ready.service },
        text: `Ready. Endpoint: ${printableLine(ready.service.service_url)}`,
      });
    });
}
