/**
 * Wrong passwords slow their source down, and nobody else: a shell is never locked, since its owner would be locked out
 * with the others. Who logged into a shell from a source before is not held up there by what strangers do beside them.
 * Passwords are random with 128 bits: this spares work, guessing is hopeless without it.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { KNOWN_PAIRS_MAX, SOURCES_MAX, WRONG_PASSWORD_EVERY_MS, WRONG_PASSWORDS_AT_ONCE } from "./limits.ts";

const FULL_MS = WRONG_PASSWORDS_AT_ONCE * WRONG_PASSWORD_EVERY_MS;

export class PasswordThrottle {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** When each would have all of its tries again, the one that failed last at the end. */
  readonly #clearAtMs = new Map<string, number>();
  readonly #known = new Set<string>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** How long this one has to wait before its password is looked at. */
  waitMs(source: string, shellId: string): number {
    const clearAtMs = this.#clearAtMs.get(this.#name(source, shellId)) ?? 0;
    return Math.max(0, clearAtMs + WRONG_PASSWORD_EVERY_MS - this.#clock.monotonicMs() - FULL_MS);
  }

  failed(source: string, shellId: string): void {
    const name = this.#name(source, shellId);
    const nowMs = this.#clock.monotonicMs();
    const clearAtMs = Math.max(nowMs, this.#clearAtMs.get(name) ?? 0) + WRONG_PASSWORD_EVERY_MS;
    this.#clearAtMs.delete(name);
    this.#clearAtMs.set(name, Math.min(clearAtMs, nowMs + FULL_MS));
    forgetOldest(this.#clearAtMs, SOURCES_MAX);
  }

  succeeded(source: string, shellId: string): void {
    const pair = `${source} ${shellId}`;
    this.#known.delete(pair);
    this.#known.add(pair);
    forgetOldest(this.#known, KNOWN_PAIRS_MAX);
  }

  #name(source: string, shellId: string): string {
    const pair = `${source} ${shellId}`;
    return this.#known.has(pair) ? pair : source;
  }
}

function forgetOldest(all: Map<string, unknown> | Set<string>, max: number): void {
  const [oldest] = all.keys();
  if (all.size > max && oldest !== undefined) all.delete(oldest);
}
