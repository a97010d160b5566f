import { Command } from "commander";
import { drainNode } from "../api/nodes.ts";
import type { Context } from "../context.ts";
import { awaitDrained } from "../node/await-drained.ts";
import { nodeText } from "../output/node-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

interface Options {
  readonly stopShells?: boolean;
  readonly wait?: boolean;
}

/** `elastic node drain`: what runs there ends, nothing new comes. */
export function nodeDrain(context: Context): Command {
  return withOutput(new Command("drain"))
    .description("let what runs on a machine end, and give it nothing new")
    .argument("<node>", "its name", notEmpty("node"))
    .option("--stop-shells", "stop the shells there; without it they go on, and with them the drain")
    .option("--wait", "wait until nothing is left there")
    .addHelpText("after", examples("elastic node drain gpu-7", "elastic node drain gpu-7 --stop-shells --wait"))
    .action(async (name: string, { stopShells = false, wait = false }: Options) => {
      const caller = await openSession(context);
      const asked = await drainNode(caller, name, stopShells);
      const node = wait ? await awaitDrained(context, caller, asked) : asked;
      context.printer.result({ json: node, text: nodeText(node) });
      if (node.shells > 0 && !stopShells)
        context.printer.note("Its shells go on until they are stopped: --stop-shells.");
      context.printer.note(`Let it take work again: elastic node resume ${node.node_id}`);
    });
}
