import { Command } from "commander";
import { createTask } from "../api/tasks.ts";
import type { Context } from "../context/context.ts";
import { explainNotReady } from "../deploy/not-ready.ts";
import { usageError } from "../errors/cli-error.ts";
import { type InputOptions, readTaskInput } from "../input/task-input.ts";
import { printableLine } from "../output/printable.ts";
import { taskText } from "../output/task-text.ts";
import { openSession } from "../session/session.ts";
import { awaitEnd, failureOf } from "../tasks/await-end.ts";
import { sendInput } from "../tasks/send-input.ts";
import { parseCount } from "./counts.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withLongOutput } from "./output-options.ts";
import { parsePriority } from "./priority.ts";
import { chosenServiceId, type ServiceOption, serviceFlag, withService } from "./service-option.ts";

interface Options extends ServiceOption, InputOptions {
  readonly priority?: number;
  readonly idempotencyKey?: string;
  readonly wait?: boolean;
  readonly timeout?: number;
}

/** `elastic task create`: its `--json` is the input; JSON output is `--output json` here. */
export function taskCreate(context: Context): Command {
  return withLongOutput(withService(new Command("create")))
    .description("create a task; its input is sent byte for byte")
    .option("--json <text>", "input as JSON text")
    .option("--file <path>", "input from a file, or from stdin with -", notEmpty("path of the input"))
    .option("--input-url <url>", "input that the service fetches itself", notEmpty("url of the input"))
    .option("--upload", "send the file ahead of the task, as is done with files above 10 MiB anyway")
    .option("--priority <number>", "from -10 to 10; each step is worth five minutes of waiting", parsePriority)
    .option("--idempotency-key <key>", "the same key makes one task, however often this is run", notEmpty("key"))
    .option("--wait", "wait until the task has ended; the exit code says how")
    .option("--timeout <seconds>", "how long --wait waits (default: as long as it takes)", parseCount)
    .addHelpText(
      "after",
      examples(
        `elastic task create --json '{"private_input":[1,2],"public_input":"7853200120776062878684798364095072458815029376092732009249414926327459813530"}'`,
        "elastic task create --file input.json --wait",
        "elastic task create --file input.json --output json",
        "elastic task create --input-url https://example.com/input.json --priority 5",
      ),
    )
    .action(async (options: Options) => {
      const { printer, stdin } = context;
      if (options.timeout !== undefined && !options.wait) {
        throw usageError("--timeout has no effect without --wait.", "Add --wait, or leave out --timeout.");
      }
      const input = await readTaskInput(options, stdin);
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const sent = await sendInput(context, caller, input);
      const { priority, idempotencyKey } = options;
      const task = { input: sent, priority, idempotencyKey };
      const created = await createTask(caller, serviceId, task).catch(async (error) => {
        throw await explainNotReady(caller, { serviceId, flag: serviceFlag(options) }, error);
      });
      if (!options.wait) {
        printer.result({ json: created, text: `elastic task info ${printableLine(created.task_id)}` });
        return;
      }
      printer.begun({ json: { task_id: created.task_id }, text: `Task ${created.task_id}` });
      const timeoutMs = options.timeout === undefined ? null : options.timeout * 1000;
      const ended = await awaitEnd(context, caller, created.task_id, timeoutMs);
      printer.result({ json: ended, text: taskText(ended) });
      const failure = failureOf(ended);
      if (failure !== null) throw failure;
    });
}
