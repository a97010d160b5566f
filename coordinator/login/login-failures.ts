/** Logs refused keys: at most a line a second for each reason, with how many there were. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { audit } from "../auth/audit.ts";
import type { RefusalReason } from "../auth/authenticate.ts";
import type { LoginErrorCode } from "./login-error.ts";

const REPORTED_EVERY_MS = 1_000;

export interface LoginFailure {
  readonly why:
    | RefusalReason
    | "scope_missing"
    | "pull_grant_invalid"
    | "login_link_invalid"
    | "device_code_invalid"
    | LoginErrorCode;
  /** The public part of the key, where the text had one. */
  readonly keyId: string | null;
  readonly address: string;
  readonly requestId: string;
}

interface Tally {
  unreported: number;
  reportedAtMs: number;
}

export class LoginFailures {
  readonly #log: Pick<Logger, "info">;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #tallies = new Map<LoginFailure["why"], Tally>();

  constructor(log: Pick<Logger, "info">, clock: Pick<Clock, "monotonicMs">) {
    this.#log = log;
    this.#clock = clock;
  }

  note(failure: LoginFailure): void {
    const nowMs = this.#clock.monotonicMs();
    const tally = this.#tallyOf(failure.why);
    tally.unreported += 1;
    if (nowMs - tally.reportedAtMs < REPORTED_EVERY_MS) return;
    // The others since the last line are only counted.
    audit(this.#log, "login_failed", { ...failure, count: tally.unreported });
    tally.unreported = 0;
    tally.reportedAtMs = nowMs;
  }

  #tallyOf(why: LoginFailure["why"]): Tally {
    const known = this.#tallies.get(why);
    if (known !== undefined) return known;
    const tally = { unreported: 0, reportedAtMs: Number.NEGATIVE_INFINITY };
    this.#tallies.set(why, tally);
    return tally;
  }
}
