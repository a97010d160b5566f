/** `elastic-coordinator key enable`: confirms access keys that a restore left disabled. */
import { Command } from "commander";
import { ConfigError } from "../config/config.ts";
import { type AccessKey, enabled } from "../domain/access-key.ts";
import type { View } from "../store/store.ts";
import { changeKeys, describeUnchanged } from "./change-keys.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

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
    .argument("[ids...]", "ids of keys, as key list --disabled shows them")
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
        const done = await changeKeys(store, all === true ? disabledIds(store.view) : ids, {
          why: whyNotEnabled,
          become: enabled,
        });
        const text = json
          ? JSON.stringify({ enabled: done.changed })
          : `${done.changed.length} access keys were enabled`;
        if (all === true || done.unchanged.length === 0) return text;
        context.print(text);
        throw new Error(describeUnchanged(done));
      });
    });
}

function disabledIds({ accessKeys }: Pick<View, "accessKeys">): readonly string[] {
  return [...accessKeys.values()].filter(({ value }) => whyNotEnabled(value) === null).map(({ value }) => value.id);
}

function whyNotEnabled({ revokedAt, disabledAt }: AccessKey): string | null {
  if (revokedAt !== null) return "it is revoked, which is for good: create another one";
  return disabledAt === undefined ? "it is enabled already" : null;
}
