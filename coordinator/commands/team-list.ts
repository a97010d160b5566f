/** `elastic-coordinator team list` */
import { counted } from "@elastic/std/counted.ts";
import { Command } from "commander";
import { isDeleted } from "../domain/team.ts";
import type { View } from "../store/store.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly deleted?: true;
  readonly json?: true;
  readonly etcd?: string;
}

export function teamListCommand(context: CommandContext): Command {
  return new Command("list")
    .description("list the teams, with how many members and owners each has; or those that were deleted")
    .option("--deleted", "list deleted teams instead: when, and by whom")
    .option("--json", "print one JSON array")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples("elastic-coordinator team list", "elastic-coordinator team list --deleted --json"))
    .action(({ deleted, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async ({ view }) => {
        if (deleted) return deletedTeams(view, json === true);
        const memberships = [...view.memberships.values()].map(({ value }) => value);
        const existing = [...view.teams.values()].filter(({ value }) => !isDeleted(value));
        const teams = existing.map(({ value: { id, name } }) => {
          const members = memberships.filter(({ teamId }) => teamId === id);
          const owners = members.filter(({ role }) => role === "owner");
          return { team_id: id, name, members: members.length, owners: owners.length };
        });
        teams.sort((a, b) => (a.name < b.name ? -1 : 1));
        if (json) return JSON.stringify(teams);
        return teams
          .map(
            ({ team_id, name, members, owners }) =>
              `${team_id}  ${name}  ${counted(members, "member")}, ${counted(owners, "owner")}`,
          )
          .join("\n");
      }),
    );
}

/** The marks of deleted teams, the latest first. */
function deletedTeams({ teams, users }: Pick<View, "teams" | "users">, isJson: boolean): string {
  const marks = [...teams.values()].flatMap(({ value: { id, name, deleted } }) => {
    if (deleted === undefined) return [];
    const { at, byUserId } = deleted;
    const by = { user_id: byUserId, user_name: users.get(byUserId)?.value.name ?? null };
    return { team_id: id, name, deleted: new Date(at).toISOString(), by };
  });
  marks.sort((a, b) => (a.deleted > b.deleted ? -1 : 1));
  if (isJson) return JSON.stringify(marks);
  return marks
    .map(
      ({ team_id, name, deleted, by }) =>
        `${team_id}  ${name}  deleted ${deleted.slice(0, 19)} UTC by ${by.user_name ?? by.user_id}`,
    )
    .join("\n");
}
