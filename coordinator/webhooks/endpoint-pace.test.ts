import { expect, test } from "vitest";
import { judge, NEW_PACE, paceAfter } from "./endpoint-pace.ts";

test.each([
  [{ status: 200, error: null }, "taken"],
  [{ status: 299, error: null }, "taken"],
  [{ status: 400, error: null }, "refused"],
  [{ status: 410, error: null }, "refused"],
  [{ status: 500, error: null }, "refused"],
  [{ status: 302, error: "redirected" }, "refused"],
  [{ status: null, error: "address_refused" }, "refused"],
  [{ status: 429, error: null }, "slow"],
  [{ status: 502, error: null }, "slow"],
  [{ status: 503, error: null }, "slow"],
  [{ status: 504, error: null }, "slow"],
  [{ status: null, error: "timeout" }, "slow"],
  [{ status: null, error: "connect_failed" }, "slow"],
] as const)("%j is %s", (tried, verdict) => {
  expect(judge(tried)).toBe(verdict);
});

test("an endpoint that is slow is held off for longer each time, up to a minute, and is proven again by one success", () => {
  let pace = paceAfter(NEW_PACE, "taken", null, 0);
  expect(pace).toEqual({ proven: true, strikes: 0, heldUntil: 0 });
  const holds: number[] = [];
  for (let strike = 0; strike < 8; strike++) {
    pace = paceAfter(pace, "slow", null, 1_000);
    holds.push((pace.heldUntil - 1_000) / 1000);
  }
  expect(pace.proven).toBe(false);
  expect(holds).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  expect(paceAfter(pace, "taken", null, 2_000)).toEqual({ proven: true, strikes: 0, heldUntil: 0 });
});

test("an endpoint that refuses keeps its pace, and one that requests a pause gets it, up to an hour", () => {
  const proven = paceAfter(NEW_PACE, "taken", null, 0);
  expect(paceAfter(proven, "refused", null, 5_000)).toEqual({ proven: true, strikes: 0, heldUntil: 5_000 });
  expect(paceAfter(proven, "refused", 30_000, 5_000).heldUntil).toBe(35_000);
  expect(paceAfter(proven, "slow", 30_000, 5_000).heldUntil).toBe(35_000);
  expect(paceAfter(proven, "slow", 1e12, 0).heldUntil).toBe(3_600_000);
});
