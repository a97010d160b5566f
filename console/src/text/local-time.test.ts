import { expect, test } from "vitest";
import { fromLocalTime, isUtcTime, toLocalTime } from "./local-time.ts";

test("converts a time of the service to the reader's time zone and back", () => {
  for (const utc of ["2026-01-31T23:59:59", "2026-07-01T00:00:00"]) expect(fromLocalTime(toLocalTime(utc))).toBe(utc);
  const hour = new Date("2026-07-01T00:00:00Z").getHours();
  expect(toLocalTime("2026-07-01T00:00:00")).toContain(`T${String(hour).padStart(2, "0")}:00:00`);
});

test("returns undefined for what is no time", () => {
  expect([fromLocalTime(""), fromLocalTime("soon")]).toEqual([undefined, undefined]);
});

test("takes for a time of the service only one that exists", () => {
  expect(isUtcTime("2028-02-29T23:59:59")).toBe(true);
  for (const none of ["2026-02-30T00:00:00", "2026-13-01T00:00:00", "2026-01-01T25:00:00", "2026-01-01", "9999"])
    expect([none, isUtcTime(none)]).toEqual([none, false]);
});
