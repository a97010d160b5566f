import { Command } from "commander";
import { createPoolToken } from "../api/pools.ts";
import type { Context } from "../context/context.ts";
import { parseLifetime } from "../input/time-span.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { parseOrdinal } from "./counts.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

interface Options {
  readonly uses?: number;
  readonly expires?: number;
}

/** `elastic pool token`: the line is printed once. */
export function poolToken(context: Context): Command {
  return withOutput(new Command("token"))
    .description("make a token with which the machines of a pool join: prints the line to run on each, once")
    .argument("<pool>", "its name", notEmpty("pool"))
    .option("--uses <count>", "how many machines it lets in (default: 100)", parseOrdinal)
    .option("--expires <time>", "how long it works, up to 90d (default: 30d)", parseLifetime)
    .addHelpText("after", examples("elastic pool token h100", "elastic pool token h100 --uses 500 --expires 90d"))
    .action(async (name: string, { uses, expires }: Options) => {
      const wanted = {
        ...(uses === undefined ? {} : { uses_max: uses }),
        ...(expires === undefined ? {} : { expires_in_seconds: expires }),
      };
      const made = await createPoolToken(await openSession(context), name, wanted);
      context.printer.result({ json: made, text: printableLine(made.command) });
      context.printer.note("Add --machine <name>, as the driver names the machine, where that is not its host name.");
    });
}
