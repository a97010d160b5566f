import { Command } from "commander";
import { getNode } from "../api/nodes.ts";
import type { Context } from "../context/context.ts";
import { nodeText } from "../output/node-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic node info`: everything about a machine. */
export function nodeInfo(context: Context): Command {
  return withOutput(new Command("info"))
    .description("show a machine: its GPUs, what each is given to, and what runs there")
    .argument("<node>", "its name", notEmpty("node"))
    .addHelpText("after", examples("elastic node info gpu-7", "elastic node info gpu-7 --json"))
    .action(async (name: string) => {
      const node = await getNode(await openSession(context), name);
      context.printer.result({ json: node, text: nodeText(node) });
    });
}
