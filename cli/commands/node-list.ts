import { Command, Option } from "commander";
import { listNodes } from "../api/nodes.ts";
import type { NodeState } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { nodeLines } from "../output/node-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

const STATES: readonly NodeState[] = ["JOINING", "READY", "DRAINING", "DRAINED", "LOST", "GONE"];

interface Options {
  readonly state?: NodeState;
  readonly label?: string;
  readonly gpu?: string;
}

/** `elastic node list`: the machines, by name. */
export function nodeList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list the machines: their GPUs and what runs there")
    .addOption(new Option("--state <state>", "only nodes in this state").choices(STATES))
    .option("--label <key=value>", "only nodes with this label; key alone for any value", notEmpty("label"))
    .option("--gpu <type>", "only nodes with such a GPU, as in H100", notEmpty("GPU type"))
    .addHelpText(
      "after",
      examples(
        "elastic node list",
        "elastic node list --state DRAINING",
        "elastic node list --label zone=eu --gpu H100",
      ),
    )
    .action(async ({ state, label, gpu }: Options) => {
      const filter = {
        ...(state === undefined ? {} : { state }),
        ...(label === undefined ? {} : { label }),
        ...(gpu === undefined ? {} : { gpu_type: gpu }),
      };
      const nodes = await listNodes(await openSession(context), filter);
      context.printer.result({ json: nodes, text: nodes.length === 0 ? "There are no such nodes." : nodeLines(nodes) });
    });
}
