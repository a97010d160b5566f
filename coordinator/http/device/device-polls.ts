/** How often programs poll for their keys: each coordinator slows down those that poll too often (RFC 8628 §3.5). */
import { DEVICE_CODES_MAX } from "../../domain/device-code.ts";

export const POLL_SECONDS = 5;
/** A program's clock may be a little fast, and a request overtake another. */
const EARLY_MS = 500;

interface Poll {
  atMs: number;
  intervalMs: number;
}

export class DevicePolls {
  /** By device code; in the order of their first polls. */
  readonly #polls = new Map<string, Poll>();

  /** Notes a poll; whether it came too soon, after which the program has to wait for longer. */
  isTooSoon(id: string, nowMs: number): boolean {
    const poll = this.#polls.get(id);
    if (poll === undefined) {
      if (this.#polls.size >= DEVICE_CODES_MAX) this.#polls.delete(this.#polls.keys().next().value ?? "");
      this.#polls.set(id, { atMs: nowMs, intervalMs: POLL_SECONDS * 1000 });
      return false;
    }
    const isTooSoon = nowMs - poll.atMs < poll.intervalMs - EARLY_MS;
    poll.atMs = nowMs;
    if (isTooSoon) poll.intervalMs += POLL_SECONDS * 1000;
    return isTooSoon;
  }

  forget(id: string): void {
    this.#polls.delete(id);
  }
}
