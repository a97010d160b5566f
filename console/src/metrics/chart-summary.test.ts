import { expect, test } from "vitest";
import { chartSummary } from "./chart-summary.ts";

test("says the last and the greatest of what is known of each line", () => {
  const lines = [
    { label: "p50", values: [1, 3, 2, null] },
    { label: "p95", values: [null, null, null, null] },
  ];
  expect(chartSummary(lines, (value) => `${value} s`)).toBe("Last: p50 2 s, at most 3 s.");
});

test("says that there is nothing where nothing is known", () => {
  expect(chartSummary([{ label: "p50", values: [null] }], String)).toBe("No data for this time.");
});
