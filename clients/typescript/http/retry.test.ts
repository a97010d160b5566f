import { describe, expect, test } from "vitest";
import { ConnectionError } from "../errors/connection-error.ts";
import { ProblemError } from "../errors/problem-error.ts";
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts";
import { RETRIES, retryDelayMs } from "./retry.ts";

const CUT = new ConnectionError("unreachable", "cut");

function problem(status: number, code = "", retryAfter?: string): ProblemError {
  const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter });
  return new ProblemError({ status, headers, body: { code } });
}

function delayMs(
  error: unknown,
  { attempts = 1, isRepeatable = true, isBodySpent = false, random = 1 } = {},
): number | null {
  return retryDelayMs(RETRIES, { error, attempts, isRepeatable, isBodySpent }, { random, nowMs: 1_000_000_000_000 });
}

describe("a repeatable request", () => {
  test("is repeated after pauses that double up to a bound, ten times in all", () => {
    const pauses = Array.from({ length: 10 }, (_, index) => delayMs(CUT, { attempts: index + 1 }));
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, null]);
    expect(delayMs(CUT, { random: 0 })).toBe(125);
  });

  test.each([408, 429, 502, 503, 504])("is repeated after %i", (status) => {
    expect(delayMs(problem(status))).toBe(250);
  });

  test("is repeated while another one with its key is in flight", () => {
    expect(delayMs(problem(409, "idempotency_key_in_flight", "1"))).toBe(1000);
  });

  test.each([
    problem(400),
    problem(401),
    problem(404),
    problem(409, "service_not_ready"),
    problem(422),
    problem(500, "internal"),
    problem(429, "quota_exceeded", "1"),
    problem(503, "store_changed"),
    problem(502, "result_corrupt"),
    new UnexpectedResponseError("not_the_service", ""),
    new Error("of somebody else"),
  ])("is final after $message", (error) => {
    expect(delayMs(error)).toBeNull();
  });

  test("waits for as long as the service says, in seconds or until a time, up to a minute", () => {
    expect(delayMs(problem(503, "", "7"))).toBe(7000);
    expect(delayMs(problem(503, "", new Date(1_000_000_009_000).toUTCString()))).toBe(9000);
    expect(delayMs(problem(503, "", "soon"))).toBe(250);
    expect(delayMs(problem(503, "", "0"))).toBe(250);
    expect(delayMs(problem(503, "", "61"))).toBeNull();
  });
});

test("a request whose body is spent is final after every error, 429 too", () => {
  for (const error of [CUT, problem(429, "", "1"), problem(503)])
    expect(delayMs(error, { isBodySpent: true })).toBeNull();
});

test("a request that may have had an effect is repeated after 429 alone", () => {
  expect(delayMs(problem(429), { isRepeatable: false })).toBe(250);
  for (const error of [CUT, problem(503), problem(502)]) expect(delayMs(error, { isRepeatable: false })).toBeNull();
});
