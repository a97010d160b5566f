import { Command, Option } from "commander";
import type { TaskRecord } from "../api/records.ts";
import { listTasks, type TaskFilter } from "../api/tasks.ts";
import type { Context } from "../context/context.ts";
import { parseTimestamp } from "../input/timestamp.ts";
import { type Cell, columns } from "../output/columns.ts";
import { openSession } from "../session/session.ts";
import { limitUpTo } from "./counts.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { serviceIdOf } from "./service-option.ts";

const LIMIT = 50;
const LIMIT_MAX = 10_000;
const STATES = ["PENDING", "SUCCESS", "FAILURE"];
const PHASES = ["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "expired"];

interface Options {
  readonly service?: string;
  readonly state?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
}

/** `elastic task list`: the active team's tasks, newest first. */
export function taskList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list the team's tasks, the newest first")
    .option("--service <id or name>", "only those of this service", notEmpty("service"))
    .addOption(new Option("--state <state>", "only those in this state").choices(STATES))
    .addOption(new Option("--phase <phase>", "only those in this phase").choices(PHASES))
    .option("--reason <reason>", "only those that failed for this reason, such as prover_error", notEmpty("reason"))
    .option("--after <time>", "only those created at or after, as YYYY-MM-DDTHH:MM:SS in UTC", parseTimestamp)
    .option("--before <time>", "only those created before", parseTimestamp)
    .option("--limit <count>", `how many at most, up to ${LIMIT_MAX}`, limitUpTo(LIMIT_MAX), LIMIT)
    .addHelpText(
      "after",
      examples(
        "elastic task list",
        "elastic task list --state PENDING --service <service_id>",
        "elastic task list --phase failed --after 2026-11-20T00:00:00 --json",
        "elastic task list --reason out_of_memory",
      ),
    )
    .action(async (options: Options) => {
      const caller = await openSession(context);
      const service = options.service === undefined ? {} : { service_id: await serviceIdOf(caller, options.service) };
      const { items, total } = await listTasks(caller, { ...service, ...filterOf(options) }, options.limit);
      const head = ["TASK ID", "SERVICE", "STATE", "PHASE", "CREATED", "FINISHED"];
      const isUnfiltered = Object.keys({ ...service, ...filterOf(options) }).length === 0;
      const none = isUnfiltered ? "The team has no tasks." : "The team has no such tasks.";
      const text = items.length === 0 ? none : columns(head, items.map(rowOf));
      context.printer.result({ json: items, text });
      if (total > items.length) context.printer.note(`${items.length} of ${total}; --limit shows more.`);
    });
}

function rowOf(task: TaskRecord): readonly Cell[] {
  return [task.task_id, task.service_name, task.state, task.phase, task.created, task.finished];
}

function filterOf({ state, phase, reason, after, before }: Options): TaskFilter {
  return {
    ...(state === undefined ? {} : { state }),
    ...(phase === undefined ? {} : { phase }),
    ...(reason === undefined ? {} : { reason }),
    ...(after === undefined ? {} : { created_after: after }),
    ...(before === undefined ? {} : { created_before: before }),
  };
}
