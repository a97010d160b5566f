/** `elastic-coordinator key list` */
import { Command } from "commander";
import type { AccessKey } from "../domain/access-key.ts";
import type { View } from "../store/store.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly disabled?: true;
  readonly json?: true;
  readonly etcd?: string;
}

export function keyListCommand(context: CommandContext): Command {
  return new Command("list")
    .description("list all users' access keys: whose each is, for which team, and when it was made and last used")
    .option("--disabled", "only those that a restore left disabled")
    .option("--json", "print one JSON array")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator key list --disabled",
        "elastic-coordinator key list --json | jq -r '.[] | select(.revoked == null) | .key_id'",
      ),
    )
    .action(({ disabled, json, etcd }: Options) =>
      withOperatorStore(context, etcd, async ({ view }) => {
        const all = [...view.accessKeys.values()].map(({ value }) => value);
        const shown = all.filter(({ disabledAt, revokedAt }) => !disabled || (disabledAt && revokedAt === null));
        const keys = shown.map((key) => listed(view, key));
        // Those of a user one after another, the newest last.
        keys.sort((a, b) => compare(a.user_name ?? "", b.user_name ?? "") || compare(a.created, b.created));
        return json ? JSON.stringify(keys) : keys.map(lineOf).join("\n");
      }),
    );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function listed({ users, teams }: Pick<View, "users" | "teams">, key: AccessKey) {
  const { id, name, userId, teamId, scopes, createdAt, lastUsedAt, expiresAt, disabledAt, revokedAt } = key;
  return {
    key_id: id,
    name,
    user_id: userId,
    user_name: users.get(userId)?.value.name ?? null,
    team_id: teamId,
    team_name: teamId === null ? null : (teams.get(teamId)?.value.name ?? null),
    scopes,
    created: new Date(createdAt).toISOString(),
    last_used: timeOrNull(lastUsedAt),
    expires: timeOrNull(expiresAt),
    disabled: timeOrNull(disabledAt ?? null),
    revoked: timeOrNull(revokedAt),
  };
}

function lineOf(key: ReturnType<typeof listed>): string {
  const { key_id, name, user_name, user_id, team_id, team_name, created, last_used, expires, disabled, revoked } = key;
  return [
    key_id,
    name,
    `of ${user_name ?? user_id}`,
    team_id === null ? "all teams" : `team ${team_name ?? team_id}`,
    `created ${short(created)}`,
    last_used === null ? "never used" : `last used ${short(last_used)}`,
    ...(expires === null ? [] : [`expires ${short(expires)}`]),
    ...(revoked === null ? [] : [`revoked ${short(revoked)}`]),
    ...(disabled === null ? [] : ["disabled"]),
  ].join("  ");
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** For a reader, who needs no fractions. */
function short(time: string): string {
  return time.slice(0, 19);
}
