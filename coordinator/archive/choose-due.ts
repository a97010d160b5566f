/** Which ended tasks leave the store now. Pure. */
import type { Instant } from "@elastic/std/clock.ts";
import type { EndedEntry } from "../store/store.ts";

export interface LiveLimits {
  /** Ended tasks stay in the store this long, LIVE_MS_MIN at least. */
  readonly afterMs: number;
  /** More than this do not, once every coordinator surely knows that they have ended. */
  readonly endedMax: number;
}

/** A view that is older than 4 s is not believed. */
const LIVE_MS_MIN = 5_000;
/** They are nearly in the order of their ends. What is due behind so many that are not waits until those are. */
const PASSED_OVER_MAX = 5_000;

/** What ended long ago, and the first to end of what is too many; at most `chosenMax`. */
export function chooseDue(
  ended: ReadonlyMap<string, Pick<EndedEntry, "usage">>,
  { afterMs, endedMax }: LiveLimits,
  now: Instant,
  chosenMax: number,
): string[] {
  const due: string[] = [];
  let tooMany = ended.size - endedMax;
  let passedOver = 0;
  for (const [id, { usage }] of ended) {
    if (due.length >= chosenMax || passedOver >= PASSED_OVER_MAX) break;
    const liveMs = tooMany-- > 0 ? LIVE_MS_MIN : afterMs;
    if (usage.finishedAt <= now - liveMs) due.push(id);
    else passedOver++;
  }
  return due;
}
