/** `elastic-coordinator upgrade status`, `pause`, `resume` and `rollback` */
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { pauseUpgrade, resumeUpgrade, rollBackUpgrade } from "../agent-upgrades/order-upgrade.ts";
import { type AgentUpgrade, CURRENT_UPGRADE } from "../domain/agent-upgrade.ts";
import type { Store } from "../store/store.ts";
import { upgradeJson, upgradeText } from "./agent-upgrade-text.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly json?: true;
  readonly etcd?: string;
}

export function upgradeChangeCommands(context: CommandContext): readonly Command[] {
  return [
    command(
      context,
      "status",
      "show how far the upgrade of agents is",
      async ({ view }) => view.agentUpgrades.get(CURRENT_UPGRADE)?.value ?? null,
    ),
    changing(context, "pause", "send no further node the order; those that were sent it finish", pauseUpgrade),
    changing(context, "resume", "continue with the nodes after those of the last batch", resumeUpgrade),
    changing(
      context,
      "rollback",
      "return the nodes that were upgraded to the version before, in batches too",
      rollBackUpgrade,
    ),
  ];
}

function changing(
  context: CommandContext,
  name: string,
  description: string,
  change: (store: Store, clock: Clock) => Promise<AgentUpgrade>,
): Command {
  return command(context, name, description, (store) => change(store, systemClock));
}

function command(
  context: CommandContext,
  name: string,
  description: string,
  act: (store: Store) => Promise<AgentUpgrade | null>,
): Command {
  return new Command(name)
    .description(description)
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples(`elastic-coordinator upgrade ${name}`))
    .action(({ json, etcd }: Options) =>
      withOperatorStore(context, etcd, async (store) => {
        const upgrade = await act(store);
        if (upgrade === null) return json ? "null" : "no upgrade of agents was ordered";
        return json ? upgradeJson(upgrade, store.view) : upgradeText(upgrade, store.view);
      }),
    );
}
