/**
 * What a client asks for with a new task: its input, inline or named, and options beside it. The input's bytes are cut
 * out of the body as they came; the options are small and are read by a schema. All other keys are ignored.
 */
import type { Span } from "@elastic/std/json/json-scanner.ts";
import { hasRepeatedMember } from "@elastic/std/json/repeated-member.ts";
import { z } from "zod";
import { INPUT_BYTES_MAX } from "../../domain/limits.ts";
import { PRIORITY_MAX, PRIORITY_MIN } from "../../domain/priority.ts";
import type { TaskBudgets } from "../../domain/task.ts";
import { idSchema } from "../../public/id-schema.ts";
import { isOneSlice, passGate, passGateNow } from "../body/json-gate.ts";
import { escapeToken } from "../body/json-pointer.ts";
import { sentence } from "../body/raw-json.ts";
import { invalidRequest, Problem, type ProblemError } from "../problem.ts";

export type InputSource =
  | { readonly kind: "inline"; readonly bytes: Buffer }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "upload"; readonly uploadId: string };

export interface TaskRequest {
  readonly source: InputSource;
  readonly priority: number;
  /** Those that are asked for; the deployment's hold where none is. */
  readonly budgets: Partial<TaskBudgets>;
}

const DAY_S = 86_400;
/** Of one option as text. */
const OPTION_BYTES_MAX = 8 * 1024;

const optionsSchema = z.object({
  input_url: z
    .string()
    .max(2048)
    .optional()
    .describe("Fetched before the task is created, and handed to the prover byte for byte. At most 1 GiB."),
  input_upload_id: idSchema.optional().describe("What POST /v1/uploads answered."),
  priority: z
    .int()
    .min(PRIORITY_MIN)
    .max(PRIORITY_MAX)
    .optional()
    .describe("Among the tasks of its service: each step is worth five minutes of waiting. 0 where it is left out."),
  limits: z
    .strictObject({
      queue_timeout_seconds: z
        .int()
        .min(1)
        .max(7 * DAY_S)
        .optional(),
      start_timeout_seconds: z.int().min(1).optional().describe("At most what the deployment allows."),
      run_timeout_seconds: z.int().min(1).optional().describe("At most what the deployment allows."),
    })
    .optional()
    .describe("The deployment's where they are left out."),
});

/** For the OpenAPI document. */
export const taskRequestSchema = optionsSchema
  .extend({ input: z.unknown().optional().describe("Handed to the prover byte for byte. At most 10 MiB.") })
  .loose()
  .describe(
    "Exactly one of `input`, `input_url` and `input_upload_id`. Other keys are ignored; a key that stands twice is refused.",
  );

const OPTIONS: ReadonlySet<string> = new Set(Object.keys(optionsSchema.shape));
const WANTED: ReadonlySet<string> = new Set(["input", ...OPTIONS]);
const SOURCES = ["input", "input_url", "input_upload_id"] as const;
const NO_BUDGETS: Partial<TaskBudgets> = {};

export async function readTaskRequest(body: Buffer): Promise<TaskRequest> {
  const outcome = isOneSlice(body) ? passGateNow(body, WANTED) : await passGate(body, WANTED);
  if (outcome.kind === "refused") throw new Problem(outcome.code, sentence(outcome.detail));
  const { found } = outcome;
  const input = found.get("input");
  if (input !== undefined && found.size === 1) {
    return { source: inline(body, input), priority: 0, budgets: NO_BUDGETS };
  }
  refuseSources(SOURCES.filter((key) => found.has(key)).length);
  const options = readOptions(body, found);
  return { source: sourceOf(body, input, options), priority: options.priority ?? 0, budgets: budgetsOf(options) };
}

type Options = z.output<typeof optionsSchema>;

export const LARGER_INPUTS =
  "Send a larger one ahead by POST /v1/uploads and name it by input_upload_id, as `elastic task create --file` does.";

function refuseSources(count: number): void {
  if (count === 1) return;
  if (count === 0) {
    throw new Problem("input_missing", "The body has no `input`; give it, or an `input_url` or `input_upload_id`.");
  }
  const detail = "exactly one of input, input_url and input_upload_id";
  throw new Problem("invalid_request", "The body names more than one input.", { errors: [{ pointer: "#", detail }] });
}

function inline(body: Buffer, { start, end }: Span): InputSource {
  if (end - start > INPUT_BYTES_MAX) {
    const detail = `The input has ${end - start} bytes; at most ${INPUT_BYTES_MAX} come inline. ${LARGER_INPUTS}`;
    throw new Problem("input_too_large", detail);
  }
  return { kind: "inline", bytes: body.subarray(start, end) };
}

function sourceOf(body: Buffer, input: Span | undefined, options: Options): InputSource {
  if (input !== undefined) return inline(body, input);
  if (options.input_url !== undefined) return { kind: "url", url: options.input_url };
  return { kind: "upload", uploadId: options.input_upload_id ?? "" };
}

function readOptions(body: Buffer, found: ReadonlyMap<string, Span>): Options {
  const given: Record<string, unknown> = {};
  for (const [key, { start, end }] of found) {
    if (!OPTIONS.has(key)) continue;
    if (end - start > OPTION_BYTES_MAX) throw invalidRequest([{ pointer: `#/${key}`, detail: "too long" }]);
    const text = body.toString("utf8", start, end);
    given[key] = JSON.parse(text);
    if (hasRepeatedMember(text, given[key])) throw new Problem("duplicate_key", `A key stands twice within ${key}.`);
  }
  const read = optionsSchema.safeParse(given);
  if (read.success) return read.data;
  throw invalidRequest(
    read.error.issues.map(({ path, message }): ProblemError => {
      const pointer = `#/${path.map((part) => escapeToken(String(part))).join("/")}`;
      return { pointer, detail: message };
    }),
  );
}

function budgetsOf({ limits }: Options): Partial<TaskBudgets> {
  if (limits === undefined) return NO_BUDGETS;
  const { queue_timeout_seconds: queue, start_timeout_seconds: start, run_timeout_seconds: run } = limits;
  return {
    ...(queue === undefined ? {} : { queueMs: queue * 1000 }),
    ...(start === undefined ? {} : { startMs: start * 1000 }),
    ...(run === undefined ? {} : { runMs: run * 1000 }),
  };
}
