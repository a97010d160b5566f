import { expect, test } from "vitest";
import { fromLocalTime, toLocalTime } from "./local-time.ts";

test("converts a time of the service to the reader's time zone and back", () => {
  for (const utc of ["2026-01-31T23:59:59", "2026-07-01T00:00:00"]) expect(fromLocalTime(toLocalTime(utc))).toBe(utc);
  const hour = new Date("2026-07-01T00:00:00Z").getHours();
  expect(toLocalTime("2026-07-01T00:00:00")).toContain(`T${String(hour).padStart(2, "0")}:00:00`);
});

test("returns undefined for what is no time", () => {
  expect([fromLocalTime(""), fromLocalTime("soon")]).toEqual([undefined, undefined]);
});
