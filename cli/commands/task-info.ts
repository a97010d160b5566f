import { Command } from "commander";
import { getTask } from "../api/tasks.ts";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findTaskId } from "../ids/find-id.ts";
import { taskDetailText, taskText } from "../output/task-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic task info`: the state of a task, and with `-d` all of it. */
export function taskInfo(context: Context): Command {
  return withOutput(new Command("info"))
    .description("show a task: service name, task id, state, result url")
    .argument("<task_id>", `id that task create printed, ${OR_PART_OF_ID}`)
    .option("-d, --detail", "show every field, the result included")
    .addHelpText("after", examples("elastic task info <task_id>", "elastic task info <task_id> -d"))
    .action(async (given: string, options: { readonly detail?: boolean }) => {
      const { printer } = context;
      const caller = await openSession(context);
      const task = await getTask(caller, await findTaskId(caller, given));
      printer.result({ json: task, text: options.detail ? taskDetailText(task) : taskText(task) });
      // What nothing can serve as things are is not left to be found out.
      if (task.waiting?.reason.startsWith("no_") && !options.detail) printer.note(`Waiting: ${task.waiting.message}`);
      if (task.failure !== null && !options.detail) {
        printer.note(`Failed: ${task.failure.reason}: ${task.failure.message}`);
      }
    });
}
