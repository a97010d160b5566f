import { Command } from "commander";
import { listPools } from "../api/pools.ts";
import type { Context } from "../context/context.ts";
import { poolLines } from "../output/pool-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic pool list` */
export function poolList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list the pools, what they cost, and why each grows or does not")
    .addHelpText(
      "after",
      examples("elastic pool list", "elastic pool list --json | jq -r '.[] | select(.stopped) | .pool'"),
    )
    .action(async () => {
      const pools = await listPools(await openSession(context));
      context.printer.result({ json: pools, text: pools.length === 0 ? "There are no pools." : poolLines(pools) });
    });
}
