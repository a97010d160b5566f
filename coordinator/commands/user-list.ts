/** `elastic-coordinator user list` */
import { Command } from "commander";
import type { Membership, User } from "../domain/team.ts";
import type { View } from "../store/store.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

export function userListCommand(context: CommandContext): Command {
  return new Command("list")
    .description("list the users and their teams")
    .option("--json", "print one JSON array")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples("elastic-coordinator user list", "elastic-coordinator user list --json"))
    .action(({ json, etcd }: { readonly json?: true; readonly etcd?: string }) =>
      withOperatorStore(context, etcd, async ({ view }) => {
        const users = [...view.users.values()]
          .filter(({ value }) => value.deleted === undefined)
          .map(({ value }) => listed(view, value));
        users.sort((a, b) => (a.name < b.name ? -1 : 1));
        if (json) return JSON.stringify(users);
        return users.map(lineOf).join("\n");
      }),
    );
}

interface Listed {
  readonly user_id: string;
  readonly name: string;
  readonly teams: readonly { readonly team_id: string; readonly name: string; readonly role: string }[];
}

function listed(view: Pick<View, "memberships" | "teams">, { id, name }: User): Listed {
  const ofUser: Membership[] = [...view.memberships.values()]
    .map(({ value }) => value)
    .filter(({ userId }) => userId === id);
  const teams = ofUser.map(({ teamId, role }) => ({
    team_id: teamId,
    name: view.teams.get(teamId)?.value.name ?? "",
    role,
  }));
  return { user_id: id, name, teams };
}

function lineOf({ user_id, name, teams }: Listed): string {
  const named = teams.map((team) => `${team.name} (${team.role})`).join(", ");
  return `${user_id}  ${name}  ${named === "" ? "in no team" : named}`;
}
