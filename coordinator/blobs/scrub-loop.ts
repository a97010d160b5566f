/**
 * Reads every blob once a week, so that damage is found while the bytes can still be had elsewhere, and not by the user
 * who needs them. Each hour takes the blobs whose digest falls to that hour of the week: nothing is remembered, so that a
 * restart or another leader continues where the week is.
 */

import type { Clock, Instant } from "@elastic/std/clock.ts";
import { counted } from "@elastic/std/counted.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { pause } from "@elastic/std/pause.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { BlobCorruptError, type BlobStore } from "./blob-store.ts";

const HOUR_MS = 3_600_000;
const HOURS_OF_WEEK = 7 * 24;
/** Of reading: tasks come first at the disk. */
const BYTES_PER_MS = 50_000;
const PAUSE_AFTER_BYTES = 1024 * 1024;

export interface ScrubOptions {
  /** Verified: damage is reported by whoever opened it. */
  readonly blobs: Pick<BlobStore, "list" | "open">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

export interface Scrubbed {
  readonly blobs: number;
  readonly bytes: number;
  readonly corrupt: number;
  /** Could not be read; the error of the last one. */
  readonly unreadable: number;
  readonly lastError: unknown;
}

export function startScrubbing(
  options: ScrubOptions & { readonly isLeading: () => boolean; readonly loops: LoopMetrics },
): Loop {
  const { isLeading: isActive, loops, log, clock } = options;
  return startMeteredLoop({
    name: "scrub_blobs",
    everyMs: HOUR_MS,
    isActive,
    turn: async (signal) => {
      const scrubbed = await scrub(options, hourOfWeek(clock.now()), signal);
      const { lastError, ...counts } = scrubbed;
      if (counts.blobs > 0) log.info(counts, "blobs scrubbed");
      if (counts.unreadable > 0)
        throw new Error(`could not be read: ${counted(counts.unreadable, "blob")}`, { cause: lastError });
    },
    loops,
    log,
    failure: "blobs could not be scrubbed",
  });
}

/** From 0, of weeks since the Unix epoch. */
export function hourOfWeek(now: Instant): number {
  return Math.floor(now / HOUR_MS) % HOURS_OF_WEEK;
}

/** Whether the digest, in hexadecimal, falls to that hour. */
export function fallsTo(sha256: string, hour: number): boolean {
  return Number.parseInt(sha256.slice(0, 8), 16) % HOURS_OF_WEEK === hour;
}

/** Reads what falls to the hour, or what it can until the signal aborts. */
export async function scrub({ blobs }: ScrubOptions, hour: number, signal: AbortSignal): Promise<Scrubbed> {
  const counts = { blobs: 0, bytes: 0, corrupt: 0, unreadable: 0, lastError: undefined as unknown };
  let sincePause = 0;
  for await (const { teamId, sha256 } of blobs.list()) {
    if (signal.aborted) break;
    if (!fallsTo(sha256, hour)) continue;
    try {
      const blob = await blobs.open(teamId, sha256);
      // It was swept since it was listed.
      if (blob === null) continue;
      for await (const chunk of blob.stream) {
        counts.bytes += (chunk as Buffer).length;
        sincePause += (chunk as Buffer).length;
        if (sincePause < PAUSE_AFTER_BYTES) continue;
        await pause(sincePause / BYTES_PER_MS, signal);
        sincePause = 0;
        if (signal.aborted) return counts;
      }
      counts.blobs += 1;
    } catch (error) {
      if (error instanceof BlobCorruptError) counts.corrupt += 1;
      else {
        counts.unreadable += 1;
        counts.lastError = error;
      }
    }
  }
  return counts;
}
