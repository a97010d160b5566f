import { readFileSync } from "node:fs";
import { Command } from "commander";
import { putPool } from "../api/pools.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { whyUnread } from "../input/why-unread.ts";
import { poolText } from "../output/pool-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic pool set`: the file is the body of `PUT /v1/pools/:id`. */
export function poolSet(context: Context): Command {
  return withOutput(new Command("set"))
    .description("create a pool, or replace its settings; prints the secret of a new webhook, once")
    .argument("<pool>", "its name", notEmpty("pool"))
    .requiredOption("--file <path>", "its settings as JSON: docs/operators.md has an example", notEmpty("path"))
    .addHelpText("after", examples("elastic pool set h100 --file h100.json"))
    .action(async (name: string, { file }: { readonly file: string }) => {
      const pool = await putPool(await openSession(context), name, settingsIn(file));
      const secret = pool.secret === null ? "" : `\nsecret: ${pool.secret}`;
      context.printer.result({ json: pool, text: poolText(pool) + secret });
      if (pool.secret !== null) context.printer.note("The secret is shown once: give it to the driver.");
    });
}

function settingsIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new CliError(`Could not read ${path}: ${whyUnread(cause)}.`, {
      exitCode: EXIT.usage,
      code: "usage",
      next: "Name a file that holds the pool's settings as JSON.",
      cause,
    });
  }
}
