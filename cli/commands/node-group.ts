import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { examples } from "./examples.ts";
import { nodeDemand } from "./node-demand.ts";
import { nodeDrain } from "./node-drain.ts";
import { nodeEvict } from "./node-evict.ts";
import { nodeGpuTypes } from "./node-gpu-types.ts";
import { nodeInfo } from "./node-info.ts";
import { nodeList } from "./node-list.ts";
import { nodeResume } from "./node-resume.ts";

/** `elastic node …`: for those who run the service; `gpu-types` is for everybody. */
export function nodeGroup(context: Context): Command {
  return new Command("node")
    .description("the machines of the service, for those who run it")
    .addCommand(nodeList(context))
    .addCommand(nodeInfo(context))
    .addCommand(nodeDrain(context))
    .addCommand(nodeResume(context))
    .addCommand(nodeEvict(context))
    .addCommand(nodeGpuTypes(context))
    .addCommand(nodeDemand(context))
    .addHelpText(
      "after",
      examples("elastic node list", "elastic node drain gpu-7 --wait", "elastic node resume gpu-7"),
    );
}
