import { Command } from "commander";
import { createTask } from "../api/tasks.ts";
import type { Context } from "../context.ts";
import { explainNotReady } from "../deploy/not-ready.ts";
import { readTaskInput } from "../input/task-input.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withLongOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

interface Options extends ServiceOption {
  readonly json?: string;
  readonly file?: string;
}

/** `elastic task create`: its `--json` is the input; JSON output is `--output json` here. */
export function taskCreate(context: Context): Command {
  return withLongOutput(withService(new Command("create")))
    .description("create a task; its input is sent byte for byte")
    .option("--json <text>", "input as JSON text")
    .option("--file <path>", "input from a file, or from stdin with -", notEmpty("path of the input"))
    .addHelpText(
      "after",
      examples(
        `elastic task create --json '{"private_input":[1,2],"public_input":"7853200120776062878684798364095072458815029376092732009249414926327459813530"}'`,
        "elastic task create --file input.json",
        "elastic task create --file input.json --output json",
      ),
    )
    .action(async (options: Options) => {
      const { printer, stdin } = context;
      const input = await readTaskInput(options, stdin);
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const task = await createTask(caller, serviceId, input).catch(async (error) => {
        throw await explainNotReady(caller, serviceId, error);
      });
      printer.result({ json: task, text: `elastic task info ${printableLine(task.task_id)}` });
    });
}
