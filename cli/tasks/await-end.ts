/** Waits until a task has ended, showing its progress, also through a moment in which the service is unavailable. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/caller.ts";
import type { TaskRecord } from "../api/records.ts";
import { getTask } from "../api/tasks.ts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { waiting } from "../errors/stopped-waiting.ts";

/** At a terminal, progress is fetched this often; else the next request follows only after a long poll. */
const LOOK_S = 2;
const LONG_LOOK_S = 20;
const AWAY_MAX_MS = 60_000;
const AWAY_PAUSE_MS = 1_000;

type Surroundings = Pick<Context, "printer" | "signal">;

/** The record as it has ended; `timeoutMs` null waits as long as the task takes. */
export async function awaitEnd(
  context: Surroundings,
  caller: Caller,
  taskId: string,
  timeoutMs: number | null,
): Promise<TaskRecord> {
  return await waiting(pollUntilEnd(context, caller, taskId, timeoutMs), {
    what: `The task ${taskId}`,
    next: `Run \`elastic task wait ${taskId}\` to wait again, or \`elastic task cancel ${taskId}\`.`,
  });
}

async function pollUntilEnd(
  context: Surroundings,
  caller: Caller,
  taskId: string,
  timeoutMs: number | null,
): Promise<TaskRecord> {
  const startedAt = performance.now();
  const lookS = context.printer.redraws ? LOOK_S : LONG_LOOK_S;
  let awaySince: number | null = null;
  for (;;) {
    const leftMs = timeoutMs === null ? Number.POSITIVE_INFINITY : timeoutMs - (performance.now() - startedAt);
    if (leftMs <= 0) throw tookTooLong(taskId, timeoutMs ?? 0);
    const waitS = Math.max(1, Math.min(lookS, Math.ceil(leftMs / 1000)));
    const task = await getTask(caller, taskId, waitS).catch((error: unknown) => {
      awaySince ??= performance.now();
      const isPassing = error instanceof CliError && error.exitCode === EXIT.tryAgain;
      if (!isPassing || performance.now() - awaySince > AWAY_MAX_MS) throw error;
      return null;
    });
    if (task !== null && task.state !== "PENDING") return task;
    if (task !== null) awaySince = null;
    else await pause(Math.min(AWAY_PAUSE_MS, leftMs), context.signal);
    context.printer.progress(stageOf(task), Math.floor((performance.now() - startedAt) / 1000));
  }
}

function stageOf(task: TaskRecord | null): string {
  if (task === null) return "Waiting for the service to respond again";
  if (task.phase === "queued") return task.attempt === 0 ? "Queued" : `Queued again after attempt ${task.attempt}`;
  const attempt = task.attempt > 1 ? `, attempt ${task.attempt}` : "";
  const { progress } = task;
  if (progress === null) return `Running${attempt}`;
  const message = progress.message === "" ? "" : `, ${progress.message}`;
  return `Running${attempt}, ${Math.floor(progress.fraction * 100)} %${message}`;
}

/** A task that did not succeed fails the command that waited for it. */
export function failureOf(task: TaskRecord): CliError | null {
  if (task.state === "SUCCESS") return null;
  const { failure } = task;
  const why = failure === null ? task.phase : `${failure.reason}: ${failure.message}`;
  return new CliError(`The task ended without a result: ${why}`, {
    code: failure?.reason ?? task.phase,
    next: failure?.retryable
      ? "Create it again: another attempt may succeed."
      : `See \`elastic task info ${task.task_id} -d\`.`,
  });
}

function tookTooLong(taskId: string, timeoutMs: number): CliError {
  return new CliError(`The task did not end within ${timeoutMs / 1000} s; it continues.`, {
    exitCode: EXIT.tryAgain,
    code: "timeout",
    next: `Run \`elastic task wait ${taskId}\` to wait again.`,
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw interrupted();
  });
}
