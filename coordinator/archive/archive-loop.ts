/**
 * Keeps history moving while this coordinator leads: tasks and audit entries to the archive, and out of it when their
 * time is over.
 */
import type { LoopOptions } from "@elastic/std/loop.ts";
import { pause } from "@elastic/std/pause.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { type AuditMoverOptions, moveAuditEntries } from "./audit-mover.ts";
import { Mover, type MoverOptions } from "./mover.ts";
import { type RetentionOptions, removeExpired } from "./remove-expired.ts";

const MOVE_EVERY_MS = 2_000;
const EXPIRE_EVERY_MS = 60_000;
/** While the archive or the store is away. */
const BACKOFF_MAX_MS = 30_000;

export interface ArchiveLoopOptions extends Omit<MoverOptions, "archive" | "metrics" | "store"> {
  readonly store: MoverOptions["store"] & AuditMoverOptions["store"];
  readonly archive: MoverOptions["archive"] & AuditMoverOptions["archive"] & RetentionOptions["archive"];
  readonly auditRetentionMs: number;
  readonly logs: RetentionOptions["logs"];
  readonly metrics: {
    readonly archive: MoverOptions["metrics"] & RetentionOptions["metrics"];
    readonly loops: LoopMetrics;
  };
  /** One coordinator is enough; two do no harm. */
  readonly isLeading: () => boolean;
  /** Whether what is over its time may be removed; where it is left out, it may. */
  readonly mayExpire?: () => boolean;
  /** How often it looks for what is to move; default 2 s. */
  readonly everyMs?: number;
}

export function startArchiving(options: ArchiveLoopOptions): { stop(): Promise<void> } {
  const { everyMs = MOVE_EVERY_MS, isLeading: isActive, mayExpire = () => true, metrics, log } = options;
  const common = { backoffMaxMs: BACKOFF_MAX_MS, isActive, loops: metrics.loops, log };
  const continuesUntil = (signal: AbortSignal) => () => !signal.aborted && isActive();
  const loops = [
    startMeteredLoop({
      ...common,
      ...moving(options, continuesUntil),
      name: "move_tasks",
      everyMs,
      failure: "ended tasks could not be moved",
    }),
    startMeteredLoop({
      ...common,
      name: "move_audit_entries",
      everyMs,
      turn: (signal) => moveAuditEntries(options, continuesUntil(signal)),
      failure: "audit entries could not be moved",
    }),
    startMeteredLoop({
      ...common,
      name: "expire_history",
      everyMs: EXPIRE_EVERY_MS,
      isActive: () => isActive() && mayExpire(),
      turn: (signal) => removeExpired({ ...options, metrics: metrics.archive }, continuesUntil(signal)),
      failure: "expired tasks could not be removed",
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** A mover for each time that this process leads: what it remembers is of that term only. */
function moving(
  options: ArchiveLoopOptions,
  continuesUntil: (signal: AbortSignal) => () => boolean,
): Pick<LoopOptions, "turn" | "onInactive"> {
  let mover: Mover | null = null;
  return {
    onInactive: () => {
      mover = null;
    },
    turn: async (signal) => {
      const continues = continuesUntil(signal);
      mover ??= new Mover({ ...options, metrics: options.metrics.archive });
      for (let hasMore = true; hasMore && continues(); ) {
        const startMs = options.clock.monotonicMs();
        hasMore = await mover.move();
        // As long as it worked: however many end, those who wait for the store and for this thread come first.
        if (hasMore) await pause(options.clock.monotonicMs() - startMs, signal);
      }
      if (continues()) await mover.settle();
    },
  };
}
