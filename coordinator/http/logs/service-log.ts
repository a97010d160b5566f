/**
 * What the provers of a service wrote, and write: the logs of its newest tasks, and of those that start while it is followed.
 * A piece of each comes in turn, so that one that writes much keeps no other waiting. More tasks at a time than are
 * followed are counted, and their logs are left out.
 */
import type { Service } from "../../domain/service.ts";
import type { Task } from "../../domain/task.ts";
import { beginText, pieceText, skippedText } from "../../public/log-event.ts";
import type { LogRef } from "../../task-logs/task-logs.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { TaskFollowers } from "../events/task-followers.ts";
import { AutoResetEvent } from "./auto-reset-event.ts";
import { mayEnd } from "./follow-log.ts";
import { LogCursor } from "./log-cursor.ts";
import type { LogDeps } from "./log-followers.ts";

/** Each is looked at once a second. */
const FOLLOWED_TASKS_MAX = 50;
const LOOK_EVERY_MS = 1_000;
const BEAT_EVERY_LOOKS = 15;

type Deps = Pick<RecordDeps, "store" | "clock"> & Pick<LogDeps, "logs">;

export interface ServiceLogWish {
  readonly service: Pick<Service, "id" | "teamId">;
  /** The newest tasks, the oldest of them first. */
  readonly tasks: readonly Task[];
  /** Of the log of each of them, at most so much of its end. */
  readonly tailBytes: number;
  readonly follow: boolean;
  /** By service. */
  readonly followers: TaskFollowers;
  readonly upSinceMs: number;
  /** Checked before every piece; once it is false there is nobody to respond to. */
  readonly mayRead: () => boolean;
  readonly signal: AbortSignal;
}

interface Followed {
  readonly task: Task;
  readonly cursor: LogCursor;
  readonly leave: () => void;
}

/** Events as text. */
export async function* serviceLog(deps: Deps, wish: ServiceLogWish): AsyncGenerator<string> {
  const { service, mayRead, signal, follow } = wish;
  const changed = new AutoResetEvent();
  const followed = new Map<string, Followed>();
  let skipped = 0;
  const add = (task: Task, from: number) => {
    const ref = newestAttempt(task);
    const name = `${ref.taskId}/${ref.attempt}`;
    if (followed.has(name)) return;
    if (followed.size >= FOLLOWED_TASKS_MAX) skipped += 1;
    else followed.set(name, { task, cursor: new LogCursor(ref, from), leave: deps.logs.listen(task.id, changed.set) });
    changed.set();
  };
  const leave = wish.followers.follow(service.id, (task) => {
    if (follow && task?.phase.kind === "running") add(task, 0);
  });
  try {
    yield beginText(service.id);
    for (const task of wish.tasks) {
      if (task.attempts.started > 0) add(task, await tailOf(deps, task, wish.tailBytes));
    }
    for (let looks = 0; !signal.aborted && mayRead(); ) {
      let hasMore = false;
      for (const [name, { task, cursor, leave: unlisten }] of followed) {
        // Checked before the bytes are read: what is complete now is read to its end.
        const isOver = !follow || (await mayEnd(deps, { task, ref: cursor.ref, upSinceMs: wish.upSinceMs }));
        const piece = await cursor.next(deps.logs, isOver);
        if (piece !== null) {
          hasMore = true;
          yield pieceText(cursor.ref, piece);
        } else if (isOver) {
          followed.delete(name);
          unlisten();
        }
        if (signal.aborted || !mayRead()) return;
      }
      if (skipped > 0) yield skippedText(skipped);
      skipped = 0;
      if (hasMore) continue;
      if (!follow) return;
      await changed.wait(LOOK_EVERY_MS, signal);
      looks += 1;
      // So that proxies do not cut what is silent.
      if (looks % BEAT_EVERY_LOOKS === 0) yield ": beat\n\n";
    }
  } finally {
    leave();
    for (const { leave: unlisten } of followed.values()) unlisten();
  }
}

/** Where to begin in the log of the task's newest attempt. */
async function tailOf({ logs }: Deps, task: Task, tailBytes: number): Promise<number> {
  const end = (await logs.state(newestAttempt(task)))?.bytes ?? 0;
  return Math.max(0, end - tailBytes);
}

function newestAttempt({ id: taskId, teamId, attempts }: Task): LogRef {
  return { teamId, taskId, attempt: attempts.started };
}
