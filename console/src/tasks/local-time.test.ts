import { expect, test } from "vitest";
import { fromLocalTime, toLocalTime } from "./local-time.ts";

test("a time of the service comes back from the reader's time zone as it was", () => {
  for (const utc of ["2026-01-31T23:59:59", "2026-07-01T00:00:00"]) expect(fromLocalTime(toLocalTime(utc))).toBe(utc);
  const hour = new Date("2026-07-01T00:00:00Z").getHours();
  expect(toLocalTime("2026-07-01T00:00:00")).toContain(`T${String(hour).padStart(2, "0")}:00:00`);
});

test("what is no time is none", () => {
  expect([fromLocalTime(""), fromLocalTime("soon")]).toEqual([undefined, undefined]);
});
