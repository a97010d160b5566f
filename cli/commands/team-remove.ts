import { Command } from "commander";
import { listMembers, removeMember } from "../api/members.ts";
import type { MemberRecord } from "../api/records.ts";
import type { Context } from "../context.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { printableLine } from "../output/printable.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

/** `elastic team remove`: takes a member out of the team; oneself to leave it. */
export function teamRemove(context: Context): Command {
  return withOutput(withTeam(new Command("remove")))
    .description("remove a member of the team, or leave it by naming yourself")
    .argument("<user>", "name or user id, as `elastic team members` shows them", notEmpty("user"))
    .addHelpText("after", examples("elastic team remove grace", "elastic team remove <user_id> --team research"))
    .action(async (named: string, { team: teamName }: TeamOption) => {
      const caller = await openSession(context);
      const team = await activeTeam(caller, teamName);
      const member = pickMember(await listMembers(caller, team.team_id), named);
      await removeMember(caller, team.team_id, member.user_id);
      context.printer.result({
        json: { team_id: team.team_id, user_id: member.user_id, removed: true },
        text: `${printableLine(member.name)} is no longer in ${printableLine(team.name)}.`,
      });
    });
}

/** An id goes before a name, and a name that two members share names neither. */
function pickMember(members: readonly MemberRecord[], named: string): MemberRecord {
  const byId = members.find(({ user_id: id }) => id === named);
  if (byId !== undefined) return byId;
  const [first, ...others] = members.filter(({ name }) => name === named);
  if (first !== undefined && others.length === 0) return first;
  const message =
    first === undefined ? `No member of the team is named ${named}.` : `Several members are named ${named}.`;
  throw new CliError(message, {
    exitCode: EXIT.notFound,
    code: "member_not_found",
    next: "Name one by the user id that `elastic team members` shows.",
  });
}
