/** Responds with a task's record: as one text where its bytes are small, as a stream where they are not. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type Caller, hasScope } from "../../auth/authorize.ts";
import { INPUT_BYTES_MAX } from "../../domain/limits.ts";
import { isExpired } from "../../domain/retention.ts";
import type { Task } from "../../domain/task.ts";
import { resultMembers } from "../../public/task-link.ts";
import { isResultOmitted, type TaskText, taskText, withheldText } from "../../public/task-record.ts";
import { jsonText, slices } from "../body/json-text.ts";
import { shownBytes, smallBytes, type TaskBytesDeps } from "./task-bytes.ts";
import type { TaskTextDeps } from "./task-list.ts";

const SLICE_BYTES = 64 * 1024;

export interface TaskResponse {
  readonly status: 200 | 201;
  readonly task: Task;
  readonly caller: Caller;
  /** The input, where the caller already has it in memory. */
  readonly input?: Buffer;
  /** Further members, as JSON text that begins with a comma. */
  readonly extra?: string;
}

export async function sendTask(
  deps: TaskTextDeps & TaskBytesDeps,
  reply: FastifyReply,
  response: TaskResponse,
): Promise<FastifyReply> {
  const { task, caller, status, extra } = response;
  const further = { waiting: deps.outlook.ofTask(task), ...(extra === undefined ? {} : { extra }) };
  reply.code(status).type("application/json; charset=utf-8");
  if (!hasScope(caller, "tasks:read")) return reply.send(withheldText(task, further));
  const hasExpired = isExpired(task, deps.clock.now());
  const input = hasExpired ? "null" : await inputOf(deps, response);
  const result = hasExpired ? null : await resultOf(deps, task);
  const text = taskText(task, {
    ...resultMembers(deps, task, result === null),
    progress: deps.progress.get(task.id, task.attempts.started),
    ...further,
  });
  if (typeof input === "string" && (typeof result === "string" || result === null)) {
    return reply.send(text.beforeInput + input + text.beforeResult + (result ?? "null") + text.end);
  }
  return reply.send(Readable.from(pieces(text, input, result)));
}

/** JSON text, or bytes to stream as such. */
type Part = string | AsyncIterable<Buffer> | Iterable<Buffer>;

async function inputOf(deps: TaskBytesDeps, { task, input }: TaskResponse): Promise<Part> {
  // Of one that was uploaded or fetched only the size is shown: nobody could read the record.
  if (task.input.bytes > INPUT_BYTES_MAX || isDamaged(task)) return "null";
  if (task.input.where === "store")
    return JSON.stringify((input ?? (await smallBytes(deps, "input", task))).toString());
  if (input !== undefined) return slices(input, SLICE_BYTES);
  return (await shownBytes(deps, task, task.input)) ?? "null";
}

function isDamaged({ phase }: Task): boolean {
  return phase.kind === "failed" && phase.failure.reason === "input_corrupt";
}

/** Null where there is none, or where the record leaves it out. */
async function resultOf(deps: TaskBytesDeps, task: Task): Promise<Part | null> {
  const { phase } = task;
  if (phase.kind !== "succeeded" || isResultOmitted(phase)) return null;
  if (phase.result.where === "store") return JSON.stringify((await smallBytes(deps, "result", task)).toString());
  return await shownBytes(deps, task, phase.result);
}

async function* pieces(text: TaskText, input: Part, result: Part | null): AsyncGenerator<string> {
  yield text.beforeInput;
  yield* part(input);
  yield text.beforeResult;
  yield* part(result ?? "null");
  yield text.end;
}

async function* part(value: Part): AsyncGenerator<string> {
  if (typeof value === "string") yield value;
  else yield* jsonText(value);
}
