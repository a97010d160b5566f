/**
 * Keeps the series of all services while it runs. Every coordinator makes its own from the records that all of them follow, so
 * that nothing is exchanged between them.
 */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Archive } from "../archive/archive.ts";
import { isTerminal } from "../domain/task.ts";
import { usageOf } from "../domain/task-usage.ts";
import type { View } from "../store/store.ts";
import { rebuild } from "./rebuild.ts";
import { sampleServices } from "./sample-services.ts";
import { SeriesBook } from "./series-book.ts";
import { COARSE_MS, type ServiceSeries } from "./service-series.ts";

const SAMPLE_EVERY_MS = 10_000;

export interface Series {
  get(serviceId: string): ServiceSeries | undefined;
  /** Tasks that were created before then may be missing. */
  since(): Instant;
}

export interface SeriesOptions {
  readonly view: View;
  readonly archive: Pick<Archive, "newest">;
  readonly clock: Clock;
  readonly log: Logger;
}

export function startSeries({ view, archive, clock, log }: SeriesOptions): Series & { stop(): Promise<void> } {
  const book = new SeriesBook();
  const stopping = new AbortController();
  let since = clock.now();
  /** Those that the archive may have too, until it was read. */
  let counted: Set<string> | null = new Set();
  const unsubscribe = view.tasks.subscribe(({ id, before, after }) => {
    if (after === undefined || !isTerminal(after.value.phase)) return;
    if (before !== undefined && isTerminal(before.value.phase)) return;
    counted?.add(id);
    book.addEnded(after.value.serviceId, usageOf(after.value));
  });
  for (const [id, { serviceId, usage }] of view.tasks.endedEntries) {
    counted.add(id);
    book.addEnded(serviceId, usage);
  }
  const sample = () => {
    const now = clock.now();
    for (const [serviceId, found] of sampleServices(view)) book.addSample(serviceId, found, now);
  };
  sample();
  const sampling = setInterval(sample, SAMPLE_EVERY_MS);
  const rebuilding = rebuild(
    {
      archive,
      clock,
      log,
      from: since - COARSE_MS,
      isCounted: (id) => counted?.has(id) ?? false,
      onTask: ({ serviceId, usage }) => book.addEnded(serviceId, usage),
      onReadBackTo: (instant) => {
        since = Math.min(since, instant);
      },
    },
    stopping.signal,
  ).finally(() => {
    counted = null;
  });
  return {
    get: (serviceId) => book.get(serviceId),
    since: () => since,
    stop: async () => {
      clearInterval(sampling);
      unsubscribe();
      stopping.abort();
      await rebuilding;
    },
  };
}
