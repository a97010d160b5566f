import { Command } from "commander";
import { acceptInvitation } from "../api/members.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic team join`: makes the user a member of the team that the code is from. */
export function teamJoin(context: Context): Command {
  return withOutput(new Command("join"))
    .description("join a team with the code of an invitation")
    .argument("<code>", "what `elastic team invite` printed", notEmpty("code"))
    .addHelpText("after", examples("elastic team join epi_…"))
    .action(async (code: string) => {
      const { printer } = context;
      const caller = await openSession(context);
      const team = await acceptInvitation(caller, code.trim());
      const name = printableLine(team.name);
      printer.result({ json: team, text: `Your role in ${name} is ${team.role}.` });
      printer.note("Run `elastic team switch` to make it the active team.");
    });
}
