import { Command } from "commander";
import { resumePool } from "../api/pools.ts";
import type { Context } from "../context/context.ts";
import { poolText } from "../output/pool-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic pool resume` */
export function poolResume(context: Context): Command {
  return withOutput(new Command("resume"))
    .description("let a pool grow again, after it stopped since its machines did not come up")
    .argument("<pool>", "its name", notEmpty("pool"))
    .addHelpText("after", examples("elastic pool resume h100"))
    .action(async (name: string) => {
      const pool = await resumePool(await openSession(context), name);
      context.printer.result({ json: pool, text: poolText(pool) });
    });
}
