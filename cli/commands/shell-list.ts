import { Command } from "commander";
import { listShells } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { shellLines } from "../output/shell-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic shell list`: the team's shells, newest first. */
export function shellList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list the team's shells, newest first")
    .addHelpText("after", examples("elastic shell list", "elastic shell list --json"))
    .action(async () => {
      const shells = await listShells(await openSession(context));
      context.printer.result({
        json: shells,
        text: shells.length === 0 ? "The team has no shells." : shellLines(shells),
      });
    });
}
