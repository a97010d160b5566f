import { Command } from "commander";
import { getDemand } from "../api/fleet.ts";
import type { Context } from "../context/context.ts";
import { demandLines } from "../output/demand-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic node demand`: what no machine has room for now. */
export function nodeDemand(context: Context): Command {
  return withOutput(new Command("demand"))
    .description("list what waits for machines: workloads that no machine has room for now")
    .addHelpText("after", examples("elastic node demand", "elastic node demand --json | jq '.items[].gpu_type'"))
    .action(async () => {
      const demand = await getDemand(await openSession(context));
      const text = demand.items.length === 0 ? "Nothing waits for a machine." : demandLines(demand);
      context.printer.result({ json: demand, text });
    });
}
