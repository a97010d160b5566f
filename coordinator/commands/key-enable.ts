/** `elastic-coordinator key enable`: confirms access keys that a restore left disabled. */
import { Command } from "commander";
import { ConfigError } from "../config/config.ts";
import { enabled } from "../domain/access-key.ts";
import { replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

/** Of keys in a commit: what the audit log names of one has an end too. */
const KEYS_AT_ONCE = 20;

interface Options {
  readonly all?: true;
  readonly json?: true;
  readonly etcd?: string;
}

export function keyEnableCommand(context: CommandContext): Command {
  return new Command("enable")
    .description(
      "confirm access keys that a restore left disabled, since what was revoked after the backup was not known",
    )
    .argument("[ids...]", "ids of keys")
    .option("--all", "all that are disabled")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples("elastic-coordinator key enable --all", "elastic-coordinator key enable 0a1B2c3D4e --json"),
    )
    .action((ids: readonly string[], { all, json, etcd }: Options) => {
      if ((all === true) === ids.length > 0) return context.fail(new ConfigError("name the ids of keys, or --all"));
      return withOperatorStore(context, etcd, async (store) => {
        const enabledIds = await enableKeys(store, all === true ? null : ids);
        if (json) return JSON.stringify({ enabled: enabledIds });
        return `${enabledIds.length} access keys were enabled`;
      });
    });
}

/** Null for all. */
async function enableKeys(store: Store, ids: readonly string[] | null): Promise<readonly string[]> {
  const enabledIds: string[] = [];
  for (;;) {
    const disabled = [...store.view.accessKeys.values()]
      .filter(({ value }) => value.disabledAt !== undefined && (ids === null || ids.includes(value.id)))
      .slice(0, KEYS_AT_ONCE);
    if (disabled.length === 0) return enabledIds;
    const outcome = await store.commit(disabled.map((key) => replace("access-keys", key, enabled(key.value))));
    // Another command was faster with one of them: the view shows it in a moment.
    if (outcome.kind === "committed") enabledIds.push(...disabled.map(({ value }) => value.id));
  }
}
