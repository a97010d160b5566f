/**
 * Keeps history moving while this coordinator leads: tasks and audit entries to the archive, and out of it when their
 * time is over.
 */
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import { type AuditMoverOptions, moveAuditEntries } from "./audit-mover.ts";
import { Mover, type MoverOptions } from "./mover.ts";
import { type RetentionOptions, removeExpired } from "./retention.ts";

const MOVE_EVERY_MS = 2_000;
const EXPIRE_EVERY_MS = 60_000;
/** While the archive or the store is away. */
const BACKOFF_MAX_MS = 30_000;

export interface ArchiveLoopOptions extends Omit<MoverOptions, "archive" | "metrics" | "store"> {
  readonly store: MoverOptions["store"] & AuditMoverOptions["store"];
  readonly archive: MoverOptions["archive"] & AuditMoverOptions["archive"] & RetentionOptions["archive"];
  readonly auditKeptMs: number;
  readonly logs: RetentionOptions["logs"];
  readonly metrics: MoverOptions["metrics"] & RetentionOptions["metrics"];
  /** One coordinator is enough; two do no harm. */
  readonly isLeading: () => boolean;
  /** How often it looks for what is to move; default 2 s. */
  readonly everyMs?: number;
}

export function startArchiving(options: ArchiveLoopOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const goesOn = () => !signal.aborted && options.isLeading();
  const everyMs = options.everyMs ?? MOVE_EVERY_MS;
  const loops = [
    repeat(
      everyMs,
      { signal, log: options.log, failure: "ended tasks could not be moved" },
      moving(options, goesOn, signal),
    ),
    repeat(everyMs, { signal, log: options.log, failure: "audit entries could not be moved" }, () =>
      moveAuditEntries(options, goesOn),
    ),
    repeat(EXPIRE_EVERY_MS, { signal, log: options.log, failure: "expired tasks could not be removed" }, async () => {
      if (goesOn()) await removeExpired(options, goesOn);
    }),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** A mover for each time that this process leads: what it remembers is of its own watch. */
function moving(options: ArchiveLoopOptions, goesOn: () => boolean, signal: AbortSignal): () => Promise<void> {
  let mover: Mover | null = null;
  return async () => {
    if (!goesOn()) {
      mover = null;
      return;
    }
    mover ??= new Mover(options);
    for (let hasMore = true; hasMore && goesOn(); ) {
      const startMs = options.clock.monotonicMs();
      hasMore = await mover.move();
      // As long as it worked: however many end, those who wait for the store and for this thread come first.
      if (hasMore) await pause(options.clock.monotonicMs() - startMs, signal);
    }
    if (goesOn()) await mover.settle();
  };
}

async function repeat(
  everyMs: number,
  { signal, log, failure }: { readonly signal: AbortSignal; readonly log: Logger; readonly failure: string },
  turn: () => Promise<void>,
): Promise<void> {
  let waitMs = everyMs;
  for (;;) {
    await pause(waitMs, signal);
    if (signal.aborted) return;
    try {
      await turn();
      waitMs = everyMs;
    } catch (error) {
      waitMs = Math.max(everyMs, Math.min(2 * waitMs, BACKOFF_MAX_MS));
      log.warn({ err: error, retryInMs: waitMs }, failure);
    }
  }
}
