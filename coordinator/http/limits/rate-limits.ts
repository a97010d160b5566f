/**
 * How many requests a key and a team may send: reads and writes apart, in memory, on each coordinator for itself. On
 * the way of every request, so it costs two lookups and some arithmetic.
 *
 * Headers as in draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` names the buckets that a request draws from
 * with their size and window, `RateLimit` what is left in them.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { Problem } from "../problems/problem.ts";
import { type Bucket, Buckets } from "./buckets.ts";
import {
  type Rate,
  ratePerSecond,
  remaining,
  secondsUntilFull,
  secondsUntilOne,
  WINDOW_MS,
  withOneMore,
} from "./token-bucket.ts";

/** Requests a second, over a window of ten. */
export interface RateSettings {
  readonly keyReads: number;
  readonly keyWrites: number;
  readonly teamReads: number;
  readonly teamWrites: number;
  /** Of one address without a valid key. */
  readonly unauthenticated: number;
}

export type Access = "reads" | "writes";

export interface RateHeaders {
  readonly policy: string;
  readonly left: string;
}

const KEYS_MAX = 100_000;
const TEAMS_MAX = 100_000;
const ADDRESSES_MAX = 50_000;

interface Pair {
  readonly key: Rate;
  readonly team: Rate;
  readonly policy: string;
}

export class RateLimits {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #rates: Readonly<Record<Access, Pair>>;
  readonly #unauthenticated: Rate;
  readonly #keys = new Buckets(KEYS_MAX);
  readonly #teams = new Buckets(TEAMS_MAX);
  readonly #addresses = new Buckets(ADDRESSES_MAX);

  constructor(settings: RateSettings, clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
    this.#rates = {
      reads: pair("reads", settings.keyReads, settings.teamReads),
      writes: pair("writes", settings.keyWrites, settings.teamWrites),
    };
    this.#unauthenticated = ratePerSecond(settings.unauthenticated);
  }

  /** Counts a request of a valid key. Throws the refusal where a bucket is empty; then nothing is counted. */
  admit(keyId: string, teamId: string, access: Access): RateHeaders {
    const nowMs = this.#clock.monotonicMs();
    const rates = this.#rates[access];
    const ofKey = this.#keys.of(keyId);
    const ofTeam = this.#teams.of(teamId);
    const keyNext = withOneMore(ofKey[access], rates.key, nowMs);
    const teamNext = withOneMore(ofTeam[access], rates.team, nowMs);
    if (keyNext === null || teamNext === null) throw exceeded(rates, access, ofKey, ofTeam, nowMs);
    ofKey[access] = keyNext;
    ofTeam[access] = teamNext;
    return headers(rates, access, keyNext, teamNext, nowMs);
  }

  /** Counts a request that showed no valid key, by where it came from. */
  admitUnauthenticated(address: string): void {
    const nowMs = this.#clock.monotonicMs();
    const bucket = this.#addresses.of(networkOf(address));
    const next = withOneMore(bucket.reads, this.#unauthenticated, nowMs);
    if (next === null) {
      const seconds = secondsUntilOne(bucket.reads, this.#unauthenticated, nowMs);
      throw new Problem("rate_limited", "Too many requests without a valid access key came from this address.", {
        headers: { "retry-after": String(seconds) },
      });
    }
    bucket.reads = next;
  }
}

function pair(access: Access, ofKey: number, ofTeam: number): Pair {
  const key = ratePerSecond(ofKey);
  const team = ratePerSecond(ofTeam);
  const window = WINDOW_MS / 1000;
  const policy = `"key-${access}";q=${key.quota};w=${window}, "team-${access}";q=${team.quota};w=${window}`;
  return { key, team, policy };
}

function headers(rates: Pair, access: Access, keyAtMs: number, teamAtMs: number, nowMs: number): RateHeaders {
  const key = `r=${remaining(keyAtMs, rates.key, nowMs)};t=${secondsUntilFull(keyAtMs, nowMs)}`;
  const team = `r=${remaining(teamAtMs, rates.team, nowMs)};t=${secondsUntilFull(teamAtMs, nowMs)}`;
  return { policy: rates.policy, left: `"key-${access}";${key}, "team-${access}";${team}` };
}

function exceeded(rates: Pair, access: Access, ofKey: Bucket, ofTeam: Bucket, nowMs: number): Problem {
  const keyIsEmpty = withOneMore(ofKey[access], rates.key, nowMs) === null;
  const whose = keyIsEmpty ? "access key" : "team";
  const seconds = Math.max(
    keyIsEmpty ? secondsUntilOne(ofKey[access], rates.key, nowMs) : 1,
    secondsUntilOne(ofTeam[access], rates.team, nowMs),
  );
  const { policy, left } = headers(rates, access, ofKey[access], ofTeam[access], nowMs);
  return new Problem("rate_limited", `The ${whose} sends too many ${access}; send this again in ${seconds} s.`, {
    headers: { "retry-after": String(seconds), "ratelimit-policy": policy, ratelimit: left },
  });
}

/** A network of IPv6 is one customer's, who may take any of its addresses. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  return address.split(":", 4).join(":");
}
