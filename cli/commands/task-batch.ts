import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { createBatch } from "../api/tasks.ts";
import type { Context } from "../context/context.ts";
import { explainNotReady } from "../deploy/not-ready.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { explainChangedFile, isOfChangedFile } from "../input/changed-file.ts";
import { type InputLine, inBatches, readInputLines } from "../input/input-lines.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { parsePriority } from "./priority.ts";
import { chosenServiceId, type ServiceOption, serviceFlag, withService } from "./service-option.ts";

interface Options extends ServiceOption {
  readonly file: string;
  readonly priority?: number;
  readonly idempotencyKey?: string;
}

/** `elastic task batch`: prints an id for each line, in their order; of those that were created, where a later request fails. */
export function taskBatch(context: Context): Command {
  return withOutput(withService(new Command("batch")))
    .description("create a task of each line of a file; 1,000 lines are accepted together, all of them or none")
    .requiredOption("--file <path>", "one JSON text a line, or - for stdin", notEmpty("path of the inputs"))
    .option("--priority <number>", "from -10 to 10; each step is worth five minutes of waiting", parsePriority)
    .option(
      "--idempotency-key <key>",
      "the same key and file make the tasks once, however often this is run",
      notEmpty("key"),
    )
    .addHelpText("after", examples("elastic task batch --file inputs.jsonl", "elastic task batch --file - --json"))
    .action(async (options: Options) => {
      const { printer, stdin } = context;
      const lines = await readInputLines(options.file, stdin);
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const { priority, idempotencyKey = randomUUID() } = options;
      const batchIds: string[] = [];
      const taskIds: string[] = [];
      const result = () => ({ json: { batch_ids: batchIds, task_ids: taskIds }, text: taskIds.join("\n") });
      const beganAt = performance.now();
      for (const batch of inBatches(lines)) {
        const inputs = batch.map(({ input }) => input);
        const request = { inputs, priority, idempotencyKey: `${idempotencyKey}-${batchIds.length}` };
        const created = await createBatch(caller, serviceId, request).catch(async (error) => {
          const explained = explainChangedFile(error, idempotencyKey);
          const failed = await explainNotReady(caller, { serviceId, flag: serviceFlag(options) }, explained);
          if (taskIds.length > 0) printer.result(result());
          if (!isOfChangedFile(error) && (taskIds.length > 0 || mayHaveCreated(failed))) {
            printer.begun(incomplete({ lines, created: taskIds.length, idempotencyKey, file: options.file }));
          }
          throw failed;
        });
        batchIds.push(created.batch_id);
        taskIds.push(...created.task_ids);
        const seconds = Math.round((performance.now() - beganAt) / 1000);
        printer.progress(`${taskIds.length} of ${lines.length} tasks created`, seconds);
      }
      printer.result(result());
    });
}

/** The response was lost, and with it what became of the request. */
function mayHaveCreated(error: unknown): boolean {
  if (!(error instanceof CliError) || error.code === "service_not_ready") return false;
  return error.exitCode === EXIT.tryAgain || error.exitCode === EXIT.interrupted;
}

interface Incomplete {
  readonly lines: readonly InputLine[];
  /** Of the first lines. */
  readonly created: number;
  readonly idempotencyKey: string;
  readonly file: string;
}

/** Which lines have no task that is known, and how they get theirs, each one. */
function incomplete({ lines, created, idempotencyKey, file }: Incomplete) {
  const first = lines[created]?.number ?? 0;
  const last = lines.at(-1)?.number ?? 0;
  const rest = first === last ? `line ${last}` : `lines ${first} to ${last}`;
  const where = file === "-" ? "stdin" : file;
  const known = created === 0 ? "" : `${created} of ${lines.length} tasks were created, and have their ids above. `;
  const text =
    `${known}No task is known of ${rest} of ${where}. ` +
    `Run it again with --idempotency-key ${idempotencyKey} and the same inputs: it prints all ids, and makes no task twice.`;
  const remaining = { count: lines.length - created, first_line: first, last_line: last };
  return { json: { created, idempotency_key: idempotencyKey, remaining }, text };
}
