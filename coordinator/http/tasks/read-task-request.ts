/**
 * The request for a new task: its input, inline or named, and options. The input's bytes are cut out of the body as
 * they were sent; the options are small and are read by a schema. All other keys are ignored.
 */
import type { Span } from "@elastic/std/json/json-scanner.ts";
import { hasRepeatedMember } from "@elastic/std/json/repeated-member.ts";
import { INPUT_BYTES_MAX } from "../../domain/limits.ts";
import type { TaskBudgets } from "../../domain/task.ts";
import { budgetsOf, NO_BUDGETS, type TaskOptions, taskOptionsSchema } from "../../public/task-request.ts";
import { isOneSlice, passGate, passGateNow } from "../body/json-gate.ts";
import { sentence } from "../body/raw-json.ts";
import { escapeToken } from "../problems/json-pointer.ts";
import { invalidRequest, Problem, type ProblemError } from "../problems/problem.ts";

export type InputSource =
  | { readonly kind: "inline"; readonly bytes: Buffer }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "upload"; readonly uploadId: string };

export interface TaskRequest {
  readonly source: InputSource;
  readonly priority: number;
  /** Those of the request; the deployment's hold for the others. */
  readonly budgets: Partial<TaskBudgets>;
}

/** Of one option as text. */
const OPTION_BYTES_MAX = 8 * 1024;

const OPTIONS: ReadonlySet<string> = new Set(Object.keys(taskOptionsSchema.shape));
const WANTED: ReadonlySet<string> = new Set(["input", ...OPTIONS]);
const SOURCES = ["input", "input_url", "input_upload_id"] as const;

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

function sourceOf(body: Buffer, input: Span | undefined, options: TaskOptions): InputSource {
  if (input !== undefined) return inline(body, input);
  if (options.input_url !== undefined) return { kind: "url", url: options.input_url };
  return { kind: "upload", uploadId: options.input_upload_id ?? "" };
}

/** Of those spans that are of options. */
export function readOptions(body: Buffer, found: ReadonlyMap<string, Span>): TaskOptions {
  const given: Record<string, unknown> = {};
  for (const [key, { start, end }] of found) {
    if (!OPTIONS.has(key)) continue;
    if (end - start > OPTION_BYTES_MAX) throw invalidRequest([{ pointer: `#/${key}`, detail: "too long" }]);
    const text = body.toString("utf8", start, end);
    given[key] = JSON.parse(text);
    if (hasRepeatedMember(text, given[key])) throw new Problem("duplicate_key", `A key stands twice within ${key}.`);
  }
  const read = taskOptionsSchema.safeParse(given);
  if (read.success) return read.data;
  throw invalidRequest(
    read.error.issues.map(({ path, message }): ProblemError => {
      const pointer = `#/${path.map((part) => escapeToken(String(part))).join("/")}`;
      return { pointer, detail: message };
    }),
  );
}
