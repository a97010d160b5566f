import { expect, test } from "vitest";
import { rangeOf, readUsageFilter } from "./usage-filter.ts";
import { byDay, byService, totalOf, type UsageDay } from "./usage-sums.ts";

function row(day: string, service: string, succeeded: number, failed: number, gpu = 0): UsageDay {
  const tasks = { succeeded, failed, cancelled: 0, timed_out: 0, expired: 0 };
  return {
    day,
    service_id: service,
    service_name: `name of ${service}`,
    tasks,
    gpu_seconds: gpu,
    slot_seconds: 2 * gpu,
  };
}

const ROWS = [row("2026-11-20", "a", 3, 1, 10), row("2026-11-21", "a", 1, 0, 5), row("2026-11-21", "b", 9, 0, 1)];

test("adds up what was used by day, the newest first", () => {
  expect(byDay(ROWS)).toMatchObject([
    { key: "2026-11-21", tasks: 10, succeeded: 10, gpu_seconds: 6, slot_seconds: 12 },
    { key: "2026-11-20", tasks: 4, succeeded: 3, gpu_seconds: 10 },
  ]);
});

test("adds up what was used by service, the one that used most first", () => {
  expect(byService(ROWS, "tasks").map(({ label, tasks }) => [label, tasks])).toEqual([
    ["name of b", 9],
    ["name of a", 5],
  ]);
  expect(byService(ROWS, "gpu_seconds").map(({ key }) => key)).toEqual(["a", "b"]);
  expect(byService([{ ...row("2026-11-20", "c", 1, 0), service_name: "" }], "tasks")[0]?.label).toBe("c");
});

test("adds up everything", () => {
  expect(totalOf(ROWS)).toMatchObject({ tasks: 14, succeeded: 13, gpu_seconds: 16 });
  expect(totalOf([])).toMatchObject({ tasks: 0 });
});

test("requests complete days, of which today is one", () => {
  expect(rangeOf(7, Date.parse("2026-11-21T15:00:00Z"))).toEqual({ from: "2026-11-15T00:00:00" });
});

test("leaves out of an address what it does not understand", () => {
  const service_id = "0".repeat(32);
  expect(readUsageFilter({ days: 7, by: "gpu_seconds", service_id })).toEqual({
    days: 7,
    by: "gpu_seconds",
    service_id,
  });
  expect(readUsageFilter({ days: 8, by: "money", service_id: "x" })).toEqual({});
});
