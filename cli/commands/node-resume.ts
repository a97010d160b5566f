import { Command } from "commander";
import { resumeNode } from "../api/nodes.ts";
import type { Context } from "../context/context.ts";
import { nodeText } from "../output/node-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic node resume`: undoes a drain, whoever began it, and a quarantine. */
export function nodeResume(context: Context): Command {
  return withOutput(new Command("resume"))
    .description("let a drained or quarantined machine accept work again")
    .argument("<node>", "its name", notEmpty("node"))
    .addHelpText("after", examples("elastic node resume gpu-7"))
    .action(async (name: string) => {
      const node = await resumeNode(await openSession(context), name);
      context.printer.result({ json: node, text: nodeText(node) });
    });
}
