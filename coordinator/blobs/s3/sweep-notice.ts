/**
 * How a sweep and the puts of other coordinators keep out of each other's way, in a store that has no transactions:
 * who sweeps announces what it is about to remove, then looks whether it is still old, then removes it; who puts
 * writes first, then looks for announcements, and writes again once they are gone. Whichever comes first, one of the
 * two sees the other.
 */
import { randomBytes } from "node:crypto";
import { pause } from "@elastic/std/pause.ts";
import type { Bucket } from "./bucket.ts";
import { SWEEPING } from "./keys.ts";

const LOOK_AGAIN_MS = 200;
/** A sweeper removes nothing later than this after its announcement. */
export const REMOVE_WITHIN_MS = 30_000;
/** An announcement that is still there by then is of a sweeper that died. */
const WAIT_MAX_MS = 2 * REMOVE_WITHIN_MS;

/** Runs `act` while the announcement of these keys stands. */
export async function announced<T>(bucket: Bucket, keys: readonly string[], act: () => Promise<T>): Promise<T> {
  const notice = SWEEPING + randomBytes(8).toString("hex");
  await bucket.put(notice, Buffer.from(JSON.stringify(keys)));
  try {
    return await act();
  } finally {
    await bucket.remove(notice);
  }
}

/** Whether a sweeper was about to remove it; resolves when none is any longer. */
export async function sweepPassed(bucket: Bucket, key: string): Promise<boolean> {
  let wasNamed = false;
  for await (const page of bucket.list(SWEEPING)) {
    for (const notice of page) {
      if (!(await names(bucket, notice.key, key))) continue;
      wasNamed = true;
      await isGone(bucket, notice.key);
    }
  }
  return wasNamed;
}

async function names(bucket: Bucket, notice: string, key: string): Promise<boolean> {
  const text = await bucket.read(notice);
  return text !== null && (JSON.parse(text) as readonly string[]).includes(key);
}

async function isGone(bucket: Bucket, notice: string): Promise<void> {
  const { signal } = new AbortController();
  for (let waitedMs = 0; waitedMs < WAIT_MAX_MS; waitedMs += LOOK_AGAIN_MS) {
    if ((await bucket.head(notice)) === null) return;
    await pause(LOOK_AGAIN_MS, signal);
  }
}
