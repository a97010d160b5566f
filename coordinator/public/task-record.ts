/**
 * The one place that knows a task's public JSON. The record is written as text around its two long fields, `input`
 * and `result`, which are the last: small ones are put in as text, large ones are streamed through (json-text.ts).
 */
import { z } from "zod";
import { FAILURE_REASONS } from "../domain/failure.ts";
import { RESULT_INLINE_BYTES_MAX } from "../domain/limits.ts";
import { expiresAt } from "../domain/retention.ts";
import { isTerminal, type Task, type TaskPhase } from "../domain/task.ts";
import type { Waiting } from "../domain/waiting.ts";
import type { Progress } from "../progress/progress-board.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";
import { waitingSchema } from "./waiting-schema.ts";

export const publicStates = ["PENDING", "SUCCESS", "FAILURE"] as const;
export type PublicState = (typeof publicStates)[number];

export const publicPhases = ["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "expired"] as const;

const NOT_READ = "a key without the scope tasks:read";

export const taskSchema = z
  .object({
    task_id: idSchema,
    service_id: idSchema,
    service_name: z.string(),
    team_id: idSchema,
    creator_id: idSchema,
    state: z.enum(publicStates),
    phase: z.enum(publicPhases),
    created: timestampSchema,
    started: timestampSchema.nullable().describe("Null while PENDING, and if no attempt was started."),
    finished: timestampSchema.nullable().describe("Null while PENDING."),
    phase_since: timestampSchema,
    attempt: z.int().describe("Attempts started so far."),
    progress: z
      .object({ fraction: z.number().min(0).max(1), message: z.string() })
      .nullable()
      .describe("What the prover says of how far it is, while it runs; null where it says nothing."),
    waiting: waitingSchema.describe("Why it is not running yet; null unless it is queued."),
    priority: z.int().describe("From -10 to 10; each step is worth five minutes of waiting."),
    canary_of: idSchema
      .nullable()
      .describe("The deployment that proves an earlier input by it before it serves; null for tasks that were posted."),
    limits: z.object({
      queue_timeout_seconds: z.number(),
      start_timeout_seconds: z.number(),
      run_timeout_seconds: z.number(),
    }),
    failure: z
      .object({
        reason: z.enum(FAILURE_REASONS),
        message: z.string(),
        retryable: z.boolean(),
        attempts: z.int(),
        exit_code: z.int().nullable(),
        log_tail: z.string().describe(`Empty for ${NOT_READ}.`),
      })
      .nullable(),
    error: z.string().nullable().describe("The failure's message."),
    input_bytes: z.int(),
    result_bytes: z.int().nullable(),
    result_url: z.string().nullable().describe(`Opens without a header until it expires. Null for ${NOT_READ}.`),
    result_omitted: z
      .boolean()
      .describe("The result is not in the record for its size, or is damaged or missing: see result_url."),
    expires_at: timestampSchema.nullable().describe("When input, result and logs are removed. Null while PENDING."),
    result_expired: z.boolean().describe("There was a result, and it was removed in time."),
    input: z
      .string()
      .nullable()
      .describe(
        "The value of `input` as it was sent, byte for byte. Null above 10 MiB, in a list above 4 KiB, once it expired, " +
          `and for ${NOT_READ}.`,
      ),
    result: z.string().nullable().describe(`Null unless SUCCESS, once it expired, and for ${NOT_READ}.`),
  })
  .meta({ id: "Task" });

/** The record as text with two gaps. */
export interface TaskText {
  readonly beforeInput: string;
  readonly beforeResult: string;
  readonly end: string;
}

/** What the public record has that is not in the task. */
export interface Shown {
  readonly resultUrl: string | null;
  readonly resultOmitted: boolean;
  readonly resultExpired: boolean;
  readonly progress: Progress | null;
  readonly waiting: Waiting | null;
  /** Further members, as JSON text that begins with a comma. */
  readonly extra?: string;
}

export function taskText(task: Task, shown: Shown): TaskText {
  const { phase } = task;
  const failure = "failure" in phase ? phase.failure : null;
  const head = {
    task_id: task.id,
    service_id: task.serviceId,
    service_name: task.serviceName,
    team_id: task.teamId,
    creator_id: task.creatorId,
    state: publicState(phase),
    phase: phase.kind,
    created: timestamp(task.createdAt),
    started: isTerminal(phase) ? timestampOrNull(phase.startedAt) : null,
    finished: isTerminal(phase) ? timestamp(phase.finishedAt) : null,
    phase_since: timestamp(isTerminal(phase) ? phase.finishedAt : phase.since),
    attempt: task.attempts.started,
    progress: phase.kind === "running" ? shown.progress : null,
    waiting: shown.waiting,
    priority: task.priority,
    canary_of: task.canaryOf ?? null,
    limits: {
      queue_timeout_seconds: task.budgets.queueMs / 1000,
      start_timeout_seconds: task.budgets.startMs / 1000,
      run_timeout_seconds: task.budgets.runMs / 1000,
    },
    failure: failure && {
      reason: failure.reason,
      message: failure.message,
      retryable: failure.retryable,
      attempts: failure.attempts,
      exit_code: failure.exitCode,
      log_tail: failure.logTail,
    },
    error: failure?.message ?? null,
    input_bytes: task.input.bytes,
    result_bytes: phase.kind === "succeeded" ? phase.result.bytes : null,
    result_url: shown.resultUrl,
    result_omitted: shown.resultOmitted,
    expires_at: timestampOrNull(expiresAt(task)),
    result_expired: shown.resultExpired,
  };
  return {
    beforeInput: `${JSON.stringify(head).slice(0, -1)},"input":`,
    beforeResult: ',"result":',
    end: `${shown.extra ?? ""}}`,
  };
}

/**
 * The record for a key that may create tasks and not read them: the state of the task and why, and neither its input nor
 * what its prover returned or wrote.
 */
export function withheldText(task: Task, { waiting, extra }: Pick<Shown, "waiting" | "extra">): string {
  const { phase } = task;
  const shown = { resultUrl: null, resultOmitted: false, resultExpired: false, progress: null, waiting };
  const bare = "failure" in phase ? { ...task, phase: { ...phase, failure: { ...phase.failure, logTail: "" } } } : task;
  const { beforeInput, beforeResult, end } = taskText(bare, extra === undefined ? shown : { ...shown, extra });
  return `${beforeInput}null${beforeResult}null${end}`;
}

export function publicState(phase: TaskPhase): PublicState {
  if (!isTerminal(phase)) return "PENDING";
  return phase.kind === "succeeded" ? "SUCCESS" : "FAILURE";
}

/** Whether the record of one task leaves the result out. */
export function isResultOmitted(phase: TaskPhase): boolean {
  return phase.kind === "succeeded" && phase.result.bytes > RESULT_INLINE_BYTES_MAX;
}
