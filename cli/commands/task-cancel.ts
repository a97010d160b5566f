import { Command } from "commander";
import type { Caller } from "../api/caller.ts";
import type { CancelledTasks } from "../api/records.ts";
import { CANCEL_MAX, cancelTasks } from "../api/tasks.ts";
import type { Context } from "../context/context.ts";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { nextForUnknown } from "../errors/next-step.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findTaskId } from "../ids/find-id.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** More than a team may have open: a bound for a service whose tasks never run out. */
const ROUNDS_MAX = 200;

interface Options extends ServiceOption {
  readonly allOfService?: boolean;
}

/** `elastic task cancel`: those that are named, or all that are open of a service. Doing it twice is no error. */
export function taskCancel(context: Context): Command {
  return withOutput(withService(new Command("cancel")))
    .description("cancel tasks; those that have ended stay as they ended")
    .argument("[task_ids...]", `ids that task create printed; of each ${OR_PART_OF_ID} will do`)
    .option("--all-of-service", "all open tasks of the service")
    .addHelpText(
      "after",
      examples(
        "elastic task cancel <task_id> <task_id>",
        "elastic task cancel --all-of-service --service <service_id>",
      ),
    )
    .action(async (taskIds: readonly string[], options: Options) => {
      const { printer } = context;
      if ((taskIds.length === 0) !== (options.allOfService === true)) {
        throw usageError("Name tasks, or all with --all-of-service.", "Run `elastic task list` to see their ids.");
      }
      if (options.service !== undefined && !options.allOfService) {
        throw usageError("--service goes with --all-of-service.", "Leave it out: the ids name the tasks.");
      }
      const caller = await openSession(context);
      const counts = options.allOfService
        ? await cancelAll(context, caller, await chosenServiceId(context, caller, options))
        : await cancelNamed(caller, await Promise.all(taskIds.map((given) => findTaskId(caller, given))));
      printer.result({ json: counts, text: countsText(counts) });
      if (counts.not_found > 0) {
        throw new CliError(`${counts.not_found} of the tasks were not found.`, {
          exitCode: EXIT.notFound,
          code: "not_found",
          next: nextForUnknown("task"),
        });
      }
    });
}

const NONE: CancelledTasks = { cancelled: 0, ended: 0, not_found: 0, remaining: 0 };

async function cancelNamed(caller: Caller, taskIds: readonly string[]): Promise<CancelledTasks> {
  let counts = NONE;
  for (let at = 0; at < taskIds.length; at += CANCEL_MAX) {
    counts = plus(counts, await cancelTasks(caller, { task_ids: taskIds.slice(at, at + CANCEL_MAX) }));
  }
  return counts;
}

async function cancelAll({ printer }: Context, caller: Caller, serviceId: string): Promise<CancelledTasks> {
  const startedAt = performance.now();
  let counts = NONE;
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const round = await cancelTasks(caller, { service_id: serviceId });
    counts = { ...plus(counts, round), remaining: round.remaining };
    if (round.remaining === 0) break;
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    printer.progress(`Cancelled ${counts.cancelled}, ${round.remaining} to go`, seconds);
  }
  return counts;
}

function plus(a: CancelledTasks, b: CancelledTasks): CancelledTasks {
  return {
    cancelled: a.cancelled + b.cancelled,
    ended: a.ended + b.ended,
    not_found: a.not_found + b.not_found,
    remaining: 0,
  };
}

function countsText({ cancelled, ended, remaining }: CancelledTasks): string {
  const tasks = cancelled === 1 ? "1 task is cancelled" : `${cancelled} tasks are cancelled`;
  const others = ended === 0 ? "" : `; ${ended} had ended before`;
  return `${tasks}${others}${remaining === 0 ? "" : `; ${remaining} are still open`}.`;
}
