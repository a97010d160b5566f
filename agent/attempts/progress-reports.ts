/**
 * How far attempts are, on its way to every coordinator: only what changed, all attempts together, and none more often
 * than once a second. A coordinator that is linked again receives everything again.
 */
import type { AttemptProgress, AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { PROGRESSES_A_MESSAGE_MAX } from "@elastic/proto/message-limits.ts";
import type { Clock } from "@elastic/std/clock.ts";
import { type AttemptKey, attemptKey } from "../domain/attempt-key.ts";
import type { Progress } from "../domain/driver.ts";

export interface ProgressReports {
  report(attempt: AttemptRef, progress: Progress): void;
  /** The attempt is over. */
  forget(attempt: AttemptRef): void;
  onLinked(): void;
  stop(): void;
}

const EVERY_MS = 1_000;
/** As much of a message as coordinators keep. */
const MESSAGE_CHARS_MAX = 500;

export function progressReports(options: {
  readonly send: (progresses: AttemptProgress[]) => void;
  readonly clock: Clock;
}): ProgressReports {
  const known = new Map<AttemptKey, AttemptProgress>();
  const changed = new Set<AttemptKey>();
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;

  const send = (): void => {
    timer = null;
    const progresses = [...changed].flatMap((key) => known.get(key) ?? []);
    changed.clear();
    if (progresses.length === 0) return;
    sentAtMs = options.clock.monotonicMs();
    for (let at = 0; at < progresses.length; at += PROGRESSES_A_MESSAGE_MAX) {
      options.send(progresses.slice(at, at + PROGRESSES_A_MESSAGE_MAX));
    }
  };
  const sendSoon = (): void => {
    timer ??= setTimeout(send, Math.max(0, sentAtMs + EVERY_MS - options.clock.monotonicMs()));
  };

  return {
    report: (attempt, { fraction, message }) => {
      const key = attemptKey(attempt);
      const before = known.get(key);
      const now = { attempt, fraction, message: message.slice(0, MESSAGE_CHARS_MAX) };
      if (before?.fraction === now.fraction && before.message === now.message) return;
      known.set(key, now);
      changed.add(key);
      sendSoon();
    },
    forget: (attempt) => {
      const key = attemptKey(attempt);
      known.delete(key);
      changed.delete(key);
    },
    onLinked: () => {
      if (known.size === 0) return;
      for (const key of known.keys()) changed.add(key);
      sendSoon();
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
