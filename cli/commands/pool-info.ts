import { Command } from "commander";
import { getPool } from "../api/pools.ts";
import type { Context } from "../context/context.ts";
import { poolText } from "../output/pool-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic pool info` */
export function poolInfo(context: Context): Command {
  return withOutput(new Command("info"))
    .description("show a pool and its machines, with what keeps one from coming up")
    .argument("<pool>", "its name", notEmpty("pool"))
    .addHelpText("after", examples("elastic pool info h100", "elastic pool info h100 --json"))
    .action(async (name: string) => {
      const pool = await getPool(await openSession(context), name);
      context.printer.result({ json: pool, text: poolText(pool) });
    });
}
