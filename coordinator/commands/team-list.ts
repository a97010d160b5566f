/** `elastic-coordinator team list` */
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

export function teamListCommand(context: CommandContext): Command {
  return new Command("list")
    .description("list the teams, with how many members and owners each has")
    .option("--json", "print one JSON array")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples("elastic-coordinator team list", "elastic-coordinator team list --json"))
    .action(({ json, etcd }: { readonly json?: true; readonly etcd?: string }) =>
      withOperatorStore(context, etcd, async ({ view }) => {
        const memberships = [...view.memberships.values()].map(({ value }) => value);
        const teams = [...view.teams.values()].map(({ value: { id, name } }) => {
          const members = memberships.filter(({ teamId }) => teamId === id);
          const owners = members.filter(({ role }) => role === "owner");
          return { team_id: id, name, members: members.length, owners: owners.length };
        });
        teams.sort((a, b) => (a.name < b.name ? -1 : 1));
        if (json) return JSON.stringify(teams);
        return teams
          .map(({ team_id, name, members, owners }) => `${team_id}  ${name}  ${members} members, ${owners} owners`)
          .join("\n");
      }),
    );
}
