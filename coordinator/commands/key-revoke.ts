/** `elastic-coordinator key revoke`: for keys of any user, also while no key opens anything. */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { revoked } from "../domain/access-key.ts";
import { changeKeys, describeUnchanged } from "./change-keys.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

export function keyRevokeCommand(context: CommandContext): Command {
  return new Command("revoke")
    .description("revoke access keys of any user for good, at every coordinator within a second")
    .argument("<ids...>", "ids of keys, as key list shows them")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples("elastic-coordinator key revoke 0a1B2c3D4e"))
    .action((ids: readonly string[], { json, etcd }: { readonly json?: true; readonly etcd?: string }) =>
      withOperatorStore(context, etcd, async (store) => {
        const done = await changeKeys(store, ids, {
          why: ({ revokedAt }) => (revokedAt === null ? null : "it was revoked before"),
          become: (key) => revoked(key, systemClock.now()),
        });
        const text = json
          ? JSON.stringify({ revoked: done.changed })
          : `${done.changed.length} access keys were revoked`;
        if (done.unchanged.length === 0) return text;
        context.print(text);
        throw new Error(describeUnchanged(done));
      }),
    );
}
