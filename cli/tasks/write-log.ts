/**
 * Writes a task's log out, every byte once. After a cut connection it resumes at the byte where it was; where the log is
 * followed, a retried attempt is followed by the log of the next.
 */
import { away } from "../api/away.ts";
import type { Caller } from "../api/caller.ts";
import { openTaskLog } from "../api/task-logs.ts";
import { getTask } from "../api/tasks.ts";
import type { Context } from "../context/context.ts";

export interface LogWish {
  readonly taskId: string;
  /** Undefined for the newest, and when followed those after it. */
  readonly attempt: number | undefined;
  readonly follow: boolean;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** What comes is another attempt's. */
  readonly onAttempt: (attempt: number) => Promise<void>;
}

/**
 * Resolves at the end of the log, or with `follow` of the task. Waits up to a minute for a service that is
 * unavailable, then throws.
 */
export async function writeLog({ signal }: Pick<Context, "signal">, caller: Caller, wish: LogWish): Promise<void> {
  let { attempt } = wish;
  let offset = 0;
  const waiting = away(signal);
  for (;;) {
    try {
      const log = await openTaskLog(caller, wish.taskId, { attempt, offset, follow: wish.follow });
      attempt = log.number;
      waiting.end();
      for await (const bytes of log.bytes) {
        offset += bytes.length;
        await wish.write(bytes);
      }
      const next =
        wish.follow && wish.attempt === undefined ? await nextAttempt(caller, wish.taskId, log.number) : null;
      if (next === null) return;
      attempt = next;
      offset = 0;
      await wish.onAttempt(next);
    } catch (error) {
      await waiting.pause(error);
    }
  }
}

/** The one to continue with; null when there is none to come. */
async function nextAttempt(caller: Caller, taskId: string, attempt: number): Promise<number | null> {
  const task = await getTask(caller, taskId);
  return task.attempt > attempt || (task.state === "PENDING" && task.attempt === attempt) ? attempt + 1 : null;
}
