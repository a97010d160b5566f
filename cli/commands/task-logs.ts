import { Command, InvalidArgumentError } from "commander";
import type { Context } from "../context/context.ts";
import { OR_PART_OF_ID } from "../ids/choose-id.ts";
import { findTaskId } from "../ids/find-id.ts";
import { printableStream } from "../output/printable-stream.ts";
import { openSession } from "../session/session.ts";
import { writeLog } from "../tasks/write-log.ts";
import { parseCount } from "./counts.ts";
import { examples } from "./examples.ts";

interface Options {
  readonly follow?: boolean;
  readonly attempt?: number;
  readonly raw?: boolean;
}

/** `elastic task logs`: what the prover wrote for a task, and with `--follow` what it writes. */
export function taskLogs(context: Context): Command {
  return new Command("logs")
    .description("print what the prover wrote for a task")
    .argument("<task_id>", `id that task create printed, ${OR_PART_OF_ID}`)
    .option("-f, --follow", "follow the log until the task has ended")
    .option("--attempt <n>", "log of this attempt (default: the newest)", parseAttempt)
    .option("--raw", "print every byte as it is, also what a terminal acts upon")
    .addHelpText(
      "after",
      examples(
        "elastic task logs <task_id>",
        "elastic task logs <task_id> --follow",
        "elastic task logs <task_id> --attempt 1 --raw > attempt-1.log",
      ),
    )
    .action(async (given: string, { follow = false, attempt, raw = false }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const taskId = await findTaskId(caller, given);
      const text = printableStream();
      const flush = () => printer.stream(text.end());
      let isEmpty = true;
      await writeLog(context, caller, {
        taskId,
        attempt,
        follow,
        write: async (bytes) => {
          isEmpty &&= bytes.length === 0;
          await printer.stream(raw ? bytes : text.take(bytes));
        },
        onAttempt: async (next) => {
          await flush();
          printer.note(`Attempt ${next}:`);
        },
      }).finally(flush);
      if (isEmpty) printer.note("No log: the prover has written nothing for the task.");
    });
}

function parseAttempt(text: string): number {
  const attempt = parseCount(text);
  if (attempt === 0) throw new InvalidArgumentError("Attempts count from 1.");
  return attempt;
}
