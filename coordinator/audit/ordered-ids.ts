/**
 * Ids that sort as they were made in this process, also within a millisecond: a counter takes the place of the bits
 * after the time (RFC 9562, 6.2, method 1).
 */
import { randomBytes } from "node:crypto";
import { newId } from "@elastic/std/ids.ts";

/** What fits in the bits between version and variant. */
const COUNT_MAX = 0xfff;
const RANDOM_BYTES = 10;

export function orderedIds(): (nowMs: number) => string {
  let lastMs = 0;
  let count = 0;
  return (nowMs) => {
    const isLater = nowMs > lastMs;
    // A clock that steps back, or more than a count holds: the time of the last one is used again.
    if (!isLater && count === COUNT_MAX) lastMs += 1;
    count = isLater || count === COUNT_MAX ? 0 : count + 1;
    lastMs = Math.max(lastMs, nowMs);
    const random = randomBytes(RANDOM_BYTES);
    random.writeUInt16BE(count);
    return newId(lastMs, random);
  };
}
