/** Logs refused passwords and tickets: a line a second at most, with how many there were. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { audit } from "../auth/audit.ts";

const REPORTED_EVERY_MS = 1_000;

export class RefusedLogins {
  readonly #log: Pick<Logger, "info">;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #unreported = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(log: Pick<Logger, "info">, clock: Pick<Clock, "monotonicMs">) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Of a ticket no shell is known. */
  note(facts: ({ readonly shellId: string } | { readonly by: "ticket" }) & { readonly address: string }): void {
    this.#unreported += 1;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#reportedAtMs < REPORTED_EVERY_MS) return;
    // The others since the last line are only counted.
    audit(this.#log, "shell_login_failed", { ...facts, count: this.#unreported });
    this.#unreported = 0;
    this.#reportedAtMs = nowMs;
  }
}
