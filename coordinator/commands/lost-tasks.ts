/** `elastic-coordinator lost-tasks`: what agents ran before a restore, and the restored store does not know. */
import { Command } from "commander";
import type { LostTask } from "../domain/lost-task.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

/** Ids begin with the time of their creation. */
const TIME_DIGITS = 12;

export function lostTasksCommand(context: CommandContext): Command {
  return new Command("lost-tasks")
    .description("list the tasks that agents ran before a restore and that the restored store does not know")
    .option("--json", "print one JSON array")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples("elastic-coordinator lost-tasks", "elastic-coordinator lost-tasks --json | jq -r .[].task_id"),
    )
    .action(({ json, etcd }: { readonly json?: true; readonly etcd?: string }) =>
      withOperatorStore(context, etcd, async ({ view }) => {
        const lost = [...view.lostTasks.values()].map(({ value }) => value);
        lost.sort((a, b) => (a.id < b.id ? -1 : 1));
        if (json) return JSON.stringify(lost.map(shown));
        return lost.length === 0
          ? "no agent has reported a task that the store does not know"
          : lost.map(lineOf).join("\n");
      }),
    );
}

function shown({ id, nodeId, attempt, storeEpoch, from, reportedAt }: LostTask) {
  return {
    task_id: id,
    created: timeOf(id),
    node_id: nodeId,
    attempt,
    store_epoch: storeEpoch,
    state: from,
    reported: new Date(reportedAt).toISOString(),
  };
}

function lineOf(task: LostTask): string {
  const { task_id, created, node_id, attempt, state } = shown(task);
  return `${task_id}  created ${created.slice(0, 19)} UTC, attempt ${attempt} on ${node_id}, ${state === "ended" ? "had ended" : "was open"}`;
}

function timeOf(id: string): string {
  return new Date(Number.parseInt(id.slice(0, TIME_DIGITS), 16)).toISOString();
}
