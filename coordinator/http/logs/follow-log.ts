/**
 * The bytes of one log from an offset on, as they come, until what writes it is over and the rest has come.
 * What agents send to this process is noticed at once; what they send to another coordinator is found by polling.
 */
import { attemptSpan } from "../../domain/attempt-span.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import type { LogRef } from "../../task-logs/task-logs.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { AutoResetEvent } from "./auto-reset-event.ts";
import { isOver } from "./log-end.ts";
import type { LogDeps } from "./log-followers.ts";

const CHUNK_BYTES_MAX = 64 * 1024;
const LOOK_EVERY_MS = 1_000;

type Deps = Pick<RecordDeps, "store" | "clock"> & Pick<LogDeps, "logs">;

/** What is there now. */
export async function* readLog({ logs }: Pick<Deps, "logs">, ref: LogRef, from: number): AsyncGenerator<Buffer> {
  const end = (await logs.state(ref))?.bytes ?? 0;
  for (let offset = from; offset < end; ) {
    const chunk = await logs.read(ref, offset, Math.min(CHUNK_BYTES_MAX, end - offset));
    if (chunk.length === 0) return;
    offset += chunk.length;
    yield chunk;
  }
}

export interface Following {
  readonly ref: LogRef;
  readonly from: number;
  /** Calls back when what writes the log may have ended. Returns how to stop. */
  readonly listen: (onEnd: () => void) => () => void;
  /** Whether nothing follows what is there now. */
  readonly isOver: () => Promise<boolean>;
  /** Checked before every chunk; once it is false there is nobody to respond to. */
  readonly mayRead: () => boolean;
  readonly signal: AbortSignal;
}

export async function* followLog(deps: Deps, following: Following): AsyncGenerator<Buffer> {
  const { ref, listen, isOver: hasEnded, mayRead, signal } = following;
  const changed = new AutoResetEvent();
  const leaves = [deps.logs.listen(ref.taskId, changed.set), listen(changed.set)];
  try {
    // The head of the response is sent with the first piece, and a client waits for it.
    yield Buffer.alloc(0);
    for (let offset = following.from; ; ) {
      if (signal.aborted || !mayRead()) return;
      // Checked before the bytes are read: what is complete now is read to its end below.
      const over = await hasEnded();
      const chunk = await deps.logs.read(ref, offset, CHUNK_BYTES_MAX);
      if (chunk.length > 0) {
        offset += chunk.length;
        yield chunk;
      } else if (over) return;
      else await changed.wait(LOOK_EVERY_MS, signal);
    }
  } finally {
    for (const leave of leaves) leave();
  }
}

export interface AttemptFollowed {
  /** As it was read. */
  readonly task: Task;
  readonly ref: LogRef;
  /** When this process began to serve, on the monotonic clock. */
  readonly upSinceMs: number;
}

/** Whether nothing follows what is there now of an attempt's log. */
export async function mayEnd(
  { store, logs, clock }: Deps,
  { task: read, ref, upSinceMs }: AttemptFollowed,
): Promise<boolean> {
  const task = store.view.tasks.get(ref.taskId)?.value ?? read;
  const span = attemptSpan(task.timeline, ref.attempt);
  // One that is still to be started, unless the task ended without it.
  if (span === null) return isTerminal(task.phase);
  if (span.over === null) return false;
  const state = await logs.state(ref);
  return isOver({ span, state, now: clock.now(), upMs: clock.monotonicMs() - upSinceMs });
}
