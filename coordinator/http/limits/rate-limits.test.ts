import fc from "fast-check";
import { expect, test } from "vitest";
import { Problem } from "../problems/problem.ts";
import { RateLimits, type RateSettings } from "./rate-limits.ts";
import { ratePerSecond, remaining, secondsUntilOne, WINDOW_MS, withOneMore } from "./token-bucket.ts";

const SETTINGS: RateSettings = { keyReads: 1, keyWrites: 2, teamReads: 3, teamWrites: 4, unauthenticated: 1 };

function limited(settings: Partial<RateSettings> = {}) {
  let nowMs = 5_000_000;
  const limits = new RateLimits({ ...SETTINGS, ...settings }, { monotonicMs: () => nowMs });
  const refusal = (attempt: () => unknown) => {
    try {
      attempt();
      return null;
    } catch (error) {
      if (error instanceof Problem) return { code: error.code, detail: error.message, headers: error.headers };
      throw error;
    }
  };
  return {
    limits,
    pass: (ms: number) => {
      nowMs += ms;
    },
    refusal,
    /** How many of `count` requests pass. */
    passing: (count: number, attempt: () => unknown) =>
      Array.from({ length: count }, () => refusal(attempt)).filter((refused) => refused === null).length,
  };
}

test("a key may send as many at once as its rate allows in ten seconds, and then at its rate", () => {
  const { limits, pass, passing } = limited();
  const read = () => limits.admit("k", "t", "reads");
  expect(passing(20, read)).toBe(10);
  pass(999);
  expect(passing(1, read)).toBe(0);
  pass(1);
  expect(passing(5, read)).toBe(1);
  pass(60_000);
  expect(passing(20, read)).toBe(10);
});

test("reads and writes are counted apart, and so is each key", () => {
  const { limits, passing } = limited();
  expect(passing(20, () => limits.admit("k", "t", "reads"))).toBe(10);
  expect(passing(30, () => limits.admit("k", "t", "writes"))).toBe(20);
  expect(passing(20, () => limits.admit("other", "t", "reads"))).toBe(10);
});

test("the keys of a team share what the team may send, and a refused request costs neither", () => {
  const { limits, pass, passing } = limited();
  const sent = ["a", "b", "c", "d"].map((key) => passing(20, () => limits.admit(key, "t", "reads")));
  expect(sent).toEqual([10, 10, 10, 0]);
  pass(1000);
  expect(passing(5, () => limits.admit("d", "t", "reads"))).toBe(3);
});

test("headers have what remains, and the refusal when to retry", () => {
  const { limits, refusal } = limited();
  const first = limits.admit("k", "t", "reads");
  expect(first).toEqual({
    policy: '"key-reads";q=10;w=10, "team-reads";q=30;w=10',
    left: '"key-reads";r=9;t=1, "team-reads";r=29;t=1',
  });
  for (let sent = 1; sent < 10; sent++) limits.admit("k", "t", "reads");
  expect(refusal(() => limits.admit("k", "t", "reads"))).toEqual({
    code: "rate_limited",
    detail: "The access key sends too many reads; send this again in 1 s.",
    headers: {
      "retry-after": "1",
      "ratelimit-policy": first.policy,
      ratelimit: '"key-reads";r=0;t=10, "team-reads";r=20;t=4',
    },
  });
});

test("unauthenticated clients are counted by address, those of one IPv6 network together", () => {
  const { limits, passing } = limited();
  expect(passing(20, () => limits.admitUnauthenticated("10.0.0.1"))).toBe(10);
  expect(passing(20, () => limits.admitUnauthenticated("10.0.0.2"))).toBe(10);
  expect(passing(20, () => limits.admitUnauthenticated("::ffff:10.0.0.3"))).toBe(10);
  expect(passing(20, () => limits.admitUnauthenticated("2001:db8:1:2::1"))).toBe(10);
  expect(passing(20, () => limits.admitUnauthenticated("2001:db8:1:2:ffff::9"))).toBe(0);
});

test("no window of ten seconds ever has more than twice the quota, and whoever waits for Retry-After gets through", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 300 }),
      (perSecond, gaps) => {
        const rate = ratePerSecond(perSecond);
        let fullAtMs = 0;
        let nowMs = 0;
        let passed = 0;
        for (const gap of gaps) {
          nowMs += gap;
          const left = remaining(fullAtMs, rate, nowMs);
          const next = withOneMore(fullAtMs, rate, nowMs);
          expect(next === null).toBe(left === 0);
          if (next === null) {
            nowMs += secondsUntilOne(fullAtMs, rate, nowMs) * 1000;
            expect(withOneMore(fullAtMs, rate, nowMs)).not.toBeNull();
          } else {
            fullAtMs = next;
            passed++;
          }
        }
        expect(passed).toBeLessThanOrEqual(rate.quota * (1 + nowMs / WINDOW_MS) + 1);
      },
    ),
  );
});
