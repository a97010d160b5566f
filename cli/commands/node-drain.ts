import { Command } from "commander";
import { drainNode } from "../api/nodes.ts";
import type { Context } from "../context/context.ts";
import { awaitDrained } from "../node/await-drained.ts";
import { nodeText } from "../output/node-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

interface Options {
  readonly stopShells?: boolean;
  readonly wait?: boolean;
  readonly spot?: boolean;
}

/** `elastic node drain`: what runs there ends, nothing new comes. */
export function nodeDrain(context: Context): Command {
  return withOutput(new Command("drain"))
    .description("let what runs on a machine end, and give it nothing new")
    .argument("<node>", "its name", notEmpty("node"))
    .option("--stop-shells", "stop the shells there; without it they run on, and the drain waits for them")
    .option("--spot", "its machine is about to be taken away: stop the shells too, and let its pool replace it")
    .option("--wait", "wait until nothing is left there")
    .addHelpText("after", examples("elastic node drain gpu-7", "elastic node drain gpu-7 --stop-shells --wait"))
    .action(async (name: string, { stopShells = false, wait = false, spot = false }: Options) => {
      const caller = await openSession(context);
      const draining = await drainNode(caller, name, { stopShells, spot });
      const node = wait ? await awaitDrained(context, caller, draining) : draining;
      context.printer.result({ json: node, text: nodeText(node) });
      if (node.shells > 0 && !stopShells && !spot)
        context.printer.note("Its shells run until they are stopped: --stop-shells.");
      context.printer.note(`Let it accept work again: elastic node resume ${node.node_id}`);
    });
}
