import type { TeamRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { printableLine } from "../output/printable.ts";
import { promptChoice } from "./prompt.ts";

/** The team to make active; there is no prompt where there is only one. */
export async function chooseTeam(
  context: Context,
  teams: readonly TeamRecord[],
  question: { insteadOf: string; activeId?: string | undefined },
): Promise<TeamRecord> {
  const [first, ...others] = teams;
  if (first === undefined) {
    throw new CliError("The API key belongs to no team.", { next: "Ask an owner of a team to add you to it." });
  }
  if (others.length === 0) return first;
  const chosen = await promptChoice(context, {
    message: "Active team",
    choices: teams.map((team) => ({ value: team.team_id, label: printableLine(team.name) })),
    initial: question.activeId,
    insteadOf: question.insteadOf,
  });
  return teams.find((team) => team.team_id === chosen) ?? first;
}
