/** `elastic-coordinator token list`: the join tokens that have not ended; their texts were shown once and are not stored. */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { type JoinTokenRecord, joinTokenRecord } from "../public/join-token-record.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

export function tokenListCommand(context: CommandContext): Command {
  return new Command("list")
    .description("list the join tokens that have not expired, the newest first, and which node used each")
    .option("--json", "print one JSON array")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator token list",
        "elastic-coordinator token list --json | jq -r '.[] | select(.used == null) | .join_token_id'",
      ),
    )
    .action(({ json, etcd }: { readonly json?: true; readonly etcd?: string }) =>
      withOperatorStore(context, etcd, async ({ view }) => {
        const now = systemClock.now();
        const tokens = [...view.joinTokens.values()]
          .map(({ value }) => value)
          .filter(({ expiresAt }) => now < expiresAt)
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .map(joinTokenRecord);
        if (json) return JSON.stringify(tokens.map(withOffsets));
        return tokens.length === 0 ? "There are no join tokens that could be used." : tokens.map(lineOf).join("\n");
      }),
    );
}

/** Times as in RFC 3339, as all operator's commands print them; those of the HTTP interface have no offset. */
function withOffsets(token: JoinTokenRecord): JoinTokenRecord {
  const { created, expires, used } = token;
  return { ...token, created: `${created}Z`, expires: `${expires}Z`, used: used === null ? null : `${used}Z` };
}

function lineOf({ join_token_id, node_name, created, expires, used_by, used }: JoinTokenRecord): string {
  return [
    join_token_id,
    node_name === null ? "for any node" : `for node ${node_name}`,
    `created ${created}`,
    `expires ${expires}`,
    used === null ? "not used" : `used by ${used_by} ${used}`,
  ].join("  ");
}
