import { expect, test } from "vitest";
import { clockComplaint, renewAfterMs, retryAfterMs, validityComplaint } from "./certificate-times.ts";

const HOUR_MS = 3_600_000;

test("a certificate is renewed at two thirds of its life or a little before, and tried again a few times", () => {
  expect(renewAfterMs(24 * HOUR_MS, 0)).toBe(16 * HOUR_MS);
  expect(renewAfterMs(24 * HOUR_MS, 0.999)).toBeGreaterThan(14.7 * HOUR_MS);
  expect([retryAfterMs(8 * HOUR_MS), retryAfterMs(20_000), retryAfterMs(3_000), retryAfterMs(-5)]).toEqual([
    60_000, 2_000, 1_000, 1_000,
  ]);
});

test("explains a clock that is an hour off, which way and what to do, and accepts a correct one", () => {
  expect(clockComplaint(HOUR_MS, 0)).toBe(
    "this machine's clock is 60 min ahead of the coordinators': set the clock (timedatectl set-ntp true)",
  );
  expect(clockComplaint(0, HOUR_MS)).toContain("60 min behind");
  expect(clockComplaint(30_000, 0)).toBeNull();
});

test("a certificate that cannot be believed by this clock says both times", () => {
  const valid = { from: new Date(HOUR_MS), to: new Date(2 * HOUR_MS) };
  expect(validityComplaint("it", valid, new Date(0))).toBe(
    "it begins at 1970-01-01T01:00:00.000Z, but by this machine's clock it is 1970-01-01T00:00:00.000Z: " +
      "set the clock (timedatectl set-ntp true)",
  );
  expect(validityComplaint("it", valid, new Date(3 * HOUR_MS))).toContain("ended at 1970-01-01T02:00:00.000Z");
  expect(validityComplaint("it", valid, new Date(1.5 * HOUR_MS))).toBeNull();
});
