/** `elastic-coordinator token revoke`: a token that was printed, and must not admit a machine any more. */
import { isId } from "@elastic/std/ids.ts";
import { Command } from "commander";
import { remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { update } from "../store/update.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

export function tokenRevokeCommand(context: CommandContext): Command {
  return new Command("revoke")
    .description("revoke join tokens: no machine joins with them any more; nodes that joined stay")
    .argument("<ids...>", "ids of tokens, as token list shows them")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator token revoke 01993f0c6f4e7d0f9f2c5a1b3c4d5e6f",
        "elastic-coordinator token revoke $(elastic-coordinator token list --json | jq -r '.[] | select(.used == null) | .join_token_id')",
      ),
    )
    .action((ids: readonly string[], { json, etcd }: { readonly json?: true; readonly etcd?: string }) =>
      withOperatorStore(context, etcd, async (store) => {
        const revoked: string[] = [];
        const unknown: string[] = [];
        for (const id of new Set(ids)) ((await revokeToken(store, id)) ? revoked : unknown).push(id);
        const text = json ? JSON.stringify({ revoked }) : `revoked: ${revoked.join(", ") || "none"}`;
        if (unknown.length === 0) return text;
        context.print(text);
        throw new Error(
          unknown.map((id) => `${id} was not revoked: there is no such token: \`token list\` shows them`).join("\n"),
        );
      }),
    );
}

/** False where there is none with that id. */
async function revokeToken(store: Store, id: string): Promise<boolean> {
  const { result } = await update(store, {
    read: async () => (isId(id) ? store.get("join-tokens", id) : null),
    decide: (token) => ({ changes: token === null ? [] : [remove("join-tokens", token)], result: token !== null }),
  });
  return result;
}
