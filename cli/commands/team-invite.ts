import { Command } from "commander";
import { invite } from "../api/members.ts";
import type { Role } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { parseLifetime } from "../input/time-span.ts";
import { printableLine } from "../output/printable.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { roleOption } from "./role-option.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

interface Options extends TeamOption {
  readonly role: Role;
  readonly expires?: number;
}

/** `elastic team invite`: a code for one user, printed once. */
export function teamInvite(context: Context): Command {
  return withOutput(withTeam(new Command("invite")))
    .description("invite a user into the team: prints a code, once")
    .addOption(roleOption().default("member"))
    .option("--expires <time>", "how long the code works, such as 12h (default: 7d, which is the most)", parseLifetime)
    .addHelpText("after", examples("elastic team invite", "elastic team invite --role viewer --expires 1h"))
    .action(async ({ team: named, role, expires }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const team = await activeTeam(caller, named);
      const span = expires === undefined ? {} : { expires_in_seconds: expires };
      const invitation = await invite(caller, team.team_id, { role, ...span });
      printer.result({ json: invitation, text: printableLine(invitation.code) });
      printer.note(
        `Whoever runs \`elastic team join\` with this code first joins ${team.name} as ${role}, until ${invitation.expires} UTC.`,
      );
    });
}
