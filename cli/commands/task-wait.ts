import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findTaskId } from "../ids/find-id.ts";
import { taskText } from "../output/task-text.ts";
import { openSession } from "../session/session.ts";
import { awaitEnd, failureOf } from "../tasks/await-end.ts";
import { parseCount } from "./counts.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic task wait`: comes back when the task has ended, and its exit code says how. */
export function taskWait(context: Context): Command {
  return withOutput(new Command("wait"))
    .description("wait until a task has ended: exits with 0 if it succeeded, 1 if not, 5 if it has not ended")
    .argument("<task_id>", `id that task create printed, ${OR_PART_OF_ID}`)
    .option("--timeout <seconds>", "how long to wait (default: as long as it takes)", parseCount)
    .addHelpText("after", examples("elastic task wait <task_id>", "elastic task wait <task_id> --timeout 60 --json"))
    .action(async (given: string, { timeout }: { readonly timeout?: number }) => {
      const caller = await openSession(context);
      const taskId = await findTaskId(caller, given);
      const task = await awaitEnd(context, caller, taskId, timeout === undefined ? null : timeout * 1000);
      context.printer.result({ json: task, text: taskText(task) });
      const failure = failureOf(task);
      if (failure !== null) throw failure;
    });
}
