/**
 * Wrong passwords slow their source down, and nobody else: a shell is never locked, since its owner would be locked out
 * with the others. Who logged into a shell from a source before is not slowed down there by the attempts of others.
 * Passwords are random with 128 bits: this spares work, guessing is hopeless without it.
 */

import type { Clock } from "@elastic/std/clock.ts";
import { LRUCache } from "lru-cache";
import { KNOWN_PAIRS_MAX, SOURCES_MAX, WRONG_PASSWORD_EVERY_MS, WRONG_PASSWORDS_AT_ONCE } from "./limits.ts";

const FULL_MS = WRONG_PASSWORDS_AT_ONCE * WRONG_PASSWORD_EVERY_MS;

export class PasswordThrottle {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** When each would have all of its tries again; the one that failed longest ago is forgotten first. */
  readonly #clearAtMs = new LRUCache<string, number>({ max: SOURCES_MAX });
  readonly #known = new LRUCache<string, true>({ max: KNOWN_PAIRS_MAX });

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** How long this one has to wait before its password is looked at. */
  waitMs(source: string, shellId: string): number {
    const clearAtMs = this.#clearAtMs.peek(this.#name(source, shellId)) ?? 0;
    return Math.max(0, clearAtMs + WRONG_PASSWORD_EVERY_MS - this.#clock.monotonicMs() - FULL_MS);
  }

  failed(source: string, shellId: string): void {
    const name = this.#name(source, shellId);
    const nowMs = this.#clock.monotonicMs();
    const clearAtMs = Math.max(nowMs, this.#clearAtMs.peek(name) ?? 0) + WRONG_PASSWORD_EVERY_MS;
    this.#clearAtMs.set(name, Math.min(clearAtMs, nowMs + FULL_MS));
  }

  succeeded(source: string, shellId: string): void {
    this.#known.set(`${source} ${shellId}`, true);
  }

  #name(source: string, shellId: string): string {
    const pair = `${source} ${shellId}`;
    return this.#known.has(pair) ? pair : source;
  }
}
