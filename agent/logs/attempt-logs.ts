/**
 * The logs of this node's attempts, from the first byte to the last acknowledgement. An attempt is never held up by its
 * log: bytes go to memory as they come, and everything else happens concurrently.
 *
 *   begun ─▶ written ─▶ sent … ─▶ ended ─▶ acknowledged
 *      └───────┴─────────┴─ after a moment without acknowledgement: on disk too
 */
import { mkdir } from "node:fs/promises";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type AttemptKey, attemptKey } from "../domain/attempt-key.ts";
import type { LogShare, ProverLog } from "../domain/prover-log.ts";
import { AttemptLog } from "./attempt-log.ts";
import { findLogs } from "./find-logs.ts";
import { HeldLog, type LogFile } from "./held-log.ts";
import { type LogBudget, logBudget } from "./log-budget.ts";
import { type AppendStream, LogSender } from "./log-sender.ts";
import { OutgoingLog } from "./outgoing-log.ts";

export interface AttemptLogsOptions {
  readonly folder: string;
  /** The stream to a coordinator; null while none responds. */
  readonly open: () => AppendStream | null;
  /** Of one attempt's log, as the coordinator said last; 0 for no logs. */
  readonly bytesMax: () => number;
  readonly onSent: (bytes: number) => void;
  readonly onDropped: (bytes: number) => void;
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly budget?: LogBudget;
}

/** The log of an attempt that is under way. */
export interface RunningLog {
  /** The attempt is given to this prover. */
  follow(prover: ProverLog): void;
  /** The prover has responded. */
  release(): void;
  /** The attempt is over; `logTail` is what its failure has of the log. */
  end(logTail: string): void;
}

export interface AttemptLogs {
  begin(attempt: AttemptRef): RunningLog;
  onLinked(): void;
  /** Bytes that no coordinator has acknowledged. */
  waitingBytes(): number;
  /** Puts what was not acknowledged on disk. */
  stop(): Promise<void>;
}

const TICK_MS = 500;
const SPILL_AFTER_MS = 1_000;

interface Entry {
  readonly key: AttemptKey;
  readonly out: OutgoingLog;
  /** Since when the same bytes wait for their acknowledgement. */
  waitsSinceMs: number;
  waitsFrom: number;
}

export async function openAttemptLogs(options: AttemptLogsOptions): Promise<AttemptLogs> {
  const { folder, clock, log } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const budget = options.budget ?? logBudget();
  const entries = new Map<AttemptKey, Entry>();

  const sender = new LogSender({
    open: options.open,
    random: options.random,
    onSent: options.onSent,
    onDone: (out, taken) => {
      if (!taken) options.onDropped(out.held.end - out.held.acknowledged);
      close(out);
    },
  });

  const close = (out: OutgoingLog): void => {
    out.done = true;
    entries.delete(attemptKey(out.ref));
    sender.forget(out);
    out.held.discard();
  };

  const enter = (key: AttemptKey, ref: AttemptRef, found: LogFile | null): OutgoingLog => {
    const out = new OutgoingLog(ref, new HeldLog(folder, key, budget, found));
    entries.set(key, { key, out, waitsSinceMs: clock.monotonicMs(), waitsFrom: out.held.acknowledged });
    return out;
  };

  for (const { key, ref, file } of await findLogs(folder)) {
    const out = enter(key, ref, file);
    out.ended = true;
    sender.add(out);
  }

  const spill = async (entry: Entry): Promise<void> => {
    await entry.out.held.spill().catch((error: unknown) => {
      log.warn({ err: error, attempt: entry.key }, "a log could not be put on disk");
    });
  };

  let relieving = false;
  /** Before memory is full everything that waits goes to disk. */
  const relieve = (): void => {
    if (relieving) return;
    relieving = true;
    void Promise.all([...entries.values()].map(spill)).then(() => {
      relieving = false;
    });
  };

  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs();
    for (const entry of entries.values()) {
      const { held } = entry.out;
      if (held.acknowledged !== entry.waitsFrom || held.memoryBytes === 0) {
        entry.waitsFrom = held.acknowledged;
        entry.waitsSinceMs = nowMs;
      } else if (nowMs - entry.waitsSinceMs > SPILL_AFTER_MS) void spill(entry);
    }
  }, TICK_MS);

  return {
    begin: (attempt) => {
      const bytesMax = options.bytesMax();
      return bytesMax === 0 ? NO_LOG : beginLog(attempt, bytesMax);
    },
    onLinked: () => sender.onLinked(),
    waitingBytes: () => budget.memoryBytes + budget.diskBytes,
    stop: async () => {
      clearInterval(timer);
      sender.stop();
      await Promise.all([...entries.values()].map(spill));
    },
  };

  /** Nothing is stored of an attempt whose prover writes nothing. */
  function beginLog(attempt: AttemptRef, bytesMax: number): RunningLog {
    const key = attemptKey(attempt);
    let out: OutgoingLog | null = null;
    let share: LogShare | null = null;
    let tail: string | null = null;
    let open = 0;
    const taker = new AttemptLog({
      bytesMax,
      append: (data) => {
        out ??= enter(key, attempt, null);
        out.held.append(data);
        sender.wake(out);
        if (budget.memoryBytes > budget.memoryBytesMax / 2) relieve();
      },
      hasRoom: (bytes) => budget.memoryBytes + bytes <= budget.memoryBytesMax,
      onDropped: options.onDropped,
      onOver: () => {
        open -= 1;
        endIfOver();
      },
    });
    const endIfOver = (): void => {
      if (tail === null || open > 0) return;
      taker.takeTail(tail);
      if (out === null) return;
      out.ended = true;
      sender.wake(out);
    };
    const release = (): void => {
      share?.release();
      share = null;
    };
    return {
      follow: (prover) => {
        release();
        open += 1;
        share = prover.give(taker);
      },
      release,
      end: (logTail) => {
        release();
        tail = logTail;
        endIfOver();
      },
    };
  }
}

const NO_LOG: RunningLog = { follow: () => undefined, release: () => undefined, end: () => undefined };
