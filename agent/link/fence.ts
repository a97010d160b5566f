/**
 * Stops work that another node may have been assigned: when no coordinator has acknowledged a heartbeat, of the event loop
 * or of the heartbeat thread, for as long as the welcome states, counted from when the last acknowledged one was sent.
 *
 * The leader gives its work to others later, since it counts from the receipt of messages and waits for longer, whichever
 * coordinator received them. A report of an abandoned attempt changes nothing: its fencing token is no longer current.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { SharedContact } from "./shared-contact.ts";

export interface Fence {
  stop(): void;
}

const TICK_MS = 250;

/** `onFenced` is called once for each time without contact. */
export function startFence(contact: SharedContact, clock: Clock, onFenced: () => void): Fence {
  let fenced: bigint | null = null;
  const timer = setInterval(() => {
    const since = contact.tooLongSince(clock.monotonicMs());
    if (since === null || (fenced !== null && since <= fenced)) return;
    fenced = since;
    onFenced();
  }, TICK_MS);
  return { stop: () => clearInterval(timer) };
}
