import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { deploymentInfo } from "./deployment-info.ts";
import { deploymentList } from "./deployment-list.ts";
import { deploymentRollback } from "./deployment-rollback.ts";
import { examples } from "./examples.ts";

/** `elastic deployment …` */
export function deploymentGroup(context: Context): Command {
  return new Command("deployment")
    .description("what was deployed to the service, and the way back")
    .addCommand(deploymentList(context))
    .addCommand(deploymentInfo(context))
    .addCommand(deploymentRollback(context))
    .addHelpText("after", examples("elastic deployment list", "elastic deployment rollback"));
}
