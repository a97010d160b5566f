import { Command } from "commander";
import { evictNode, getNode } from "../api/nodes.ts";
import type { Context } from "../context/context.ts";
import { leftText } from "../output/node-text.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic node evict`: out at once, whatever runs there. */
export function nodeEvict(context: Context): Command {
  return withOutput(new Command("evict"))
    .description("put a machine out at once: what runs there starts again elsewhere, its shells are lost")
    .argument("<node>", "its name", notEmpty("node"))
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic node evict gpu-7", "elastic node evict gpu-7 --yes"))
    .action(async (given: string, { yes = false }: { readonly yes?: boolean }) => {
      const caller = await openSession(context);
      const node = await getNode(caller, given);
      const name = printableLine(node.node_id);
      if (!yes) {
        const lost = node.shells > 0 ? ", the homes of its shells with it" : "";
        await assertConfirmed(context, `Evict ${name}${lost}? There is now: ${leftText(node)}.`);
      }
      await evictNode(caller, node.node_id);
      context.printer.result({ json: { node_id: node.node_id, evicted: true }, text: `Evicted ${name}.` });
      context.printer.note(
        `It comes back by a token of its name only: elastic-coordinator token create --node ${name}`,
      );
    });
}
