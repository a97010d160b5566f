import { expect, test } from "vitest";
import type { Timing } from "../runners/runner.ts";
import { timesTable } from "./test-times.ts";

const file = (name: string, seconds: number): Timing => ({ name, kind: "file", seconds });

test("shows runners, phases, and the twenty slowest files, the slowest first", () => {
  const files = Array.from({ length: 30 }, (_, index) => file(`file-${index}`, index));
  const table = timesTable({
    seconds: 100,
    cpuSeconds: 150,
    peakMemoryMib: 512,
    setUp: [{ name: "set-up: building etcd", kind: "phase", seconds: 34 }],
    runners: [
      {
        name: "cargo",
        count: { passed: 2, failed: 0, skipped: 1 },
        seconds: 60,
        cpuSeconds: 90.4,
        timings: [{ name: "cargo: compile", kind: "phase", seconds: 50 }, ...files],
      },
    ],
  });
  const lines = table.split("\n").map((line) => line.trim());
  expect(lines.slice(0, 6)).toEqual([
    "60.0 s  cargo: 2 passed, 0 failed, 1 skipped, 90 s of CPU",
    "34.0 s  set-up: building etcd",
    "50.0 s  cargo: compile",
    "100.0 s  all runners, 150 s of CPU, peak memory 512 MiB",
    "",
    "The 20 slowest files of 30:",
  ]);
  expect(lines.slice(6)).toHaveLength(20);
  expect(lines[6]).toBe("29.0 s  file-29");
});

test("shows where the time of a file went", () => {
  const parts = { prepare: 0.01, import: 1.25, tests: 2 };
  const timings: Timing[] = [{ name: "a.test.ts", kind: "file", seconds: 3.26, parts }];
  const pure = { name: "pure", count: { passed: 1, failed: 0, skipped: 0 }, seconds: 4, cpuSeconds: null, timings };
  const table = timesTable({ seconds: 4, cpuSeconds: null, peakMemoryMib: 1, setUp: [], runners: [pure] });
  expect(table).toContain("3.3 s  a.test.ts (import 1.3, tests 2.0)");
});
