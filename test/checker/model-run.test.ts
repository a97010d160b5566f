/** What a correct service does is accepted, however its calls overlap; what breaks it at random is not. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { historyOf } from "./history.ts";
import type { CallLine, HistoryLine, WriteLine } from "./history-line.ts";
import { judge } from "./judge.ts";
import { historyOfPlan, type Plan, plans } from "./testing/model-run.ts";

/** At least one task whose creation was acknowledged, with a retry before its end and a read after it. */
const read = { f: "get", afterSteps: 9, isUnknown: false, process: 0, early: 0, late: 0 } as const;
const mutable = plans.map((plan): Plan => {
  const [first, ...others] = plan;
  if (first === undefined) return plan;
  return [{ ...first, isUnknown: false, retries: 1, end: "succeeded", calls: [...first.calls, read] }, ...others];
});

test("accepts every history of a correct service", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      expect(sentences(historyOfPlan(plan))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

const MUTATIONS: Readonly<Record<string, (lines: readonly HistoryLine[]) => readonly HistoryLine[]>> = {
  "an end that is swapped for another": (lines) =>
    lines.map((line) => {
      if (!isWrite(line) || line.phase !== "succeeded" || line.task_id !== "t0") return line;
      const { attempt: _, result_sha256: __, ...rest } = line;
      return { ...rest, phase: "failed" };
    }),
  "a create that nobody made": (lines) =>
    lines.filter((line) => !(isCall(line) && line.f === "create" && isOfFirst(line))),
  "a task that was never stored": (lines) => lines.filter((line) => !(isWrite(line) && line.task_id === "t0")),
  "a task that is stored twice": (lines) => [
    ...lines,
    ...lines.flatMap((line) => (isWrite(line) && line.task_id === "t0" ? [{ ...line, task_id: "t0 again" }] : [])),
  ],
  "a second end": (lines) => [...lines, { kind: "write", task_id: "t0", revision: 999, phase: "cancelled" }],
  "a success with a stale token": (lines) =>
    lines.map((line) =>
      isWrite(line) && line.phase === "succeeded" && line.task_id === "t0" ? { ...line, attempt: 1 } : line,
    ),
  "a claim that is left out": (lines) =>
    lines.filter((line) => !(isWrite(line) && line.task_id === "t0" && line.phase === "running" && line.attempt === 1)),
  "a revision that does not increase": (lines) =>
    lines.map((line) =>
      isWrite(line) && line.task_id === "t0" && line.phase === "succeeded" ? { ...line, revision: 1 } : line,
    ),
  "a late read of what was before": (lines) => [...lines, ...lateRead({ state: "PENDING", phase: "running" })],
  "a late read of another end": (lines) => [...lines, ...lateRead({ state: "FAILURE", phase: "expired" })],
  "a late read that finds nothing": (lines) => [...lines, ...lateRead(null)],
  "a result that is not the one committed": (lines) =>
    lines.map((line) =>
      isWrite(line) && line.task_id === "t0" && line.result_sha256 ? { ...line, result_sha256: "c".repeat(64) } : line,
    ),
};

test.each(Object.entries(MUTATIONS))("rejects it with %s", (_name, mutate) => {
  fc.assert(
    fc.property(mutable, (plan) => {
      expect(sentences(mutate(historyOfPlan(plan)))).not.toEqual([]);
    }),
    { numRuns: 100 },
  );
});

function lateRead(task: NonNullable<CallLine["task"]> | null): readonly CallLine[] {
  const of = { kind: "call", process: "late", call: 1, f: "get", task_id: "t0" } as const;
  return [
    { ...of, type: "invoke", at: 9_000 },
    { ...of, type: "ok", at: 9_001, task },
  ];
}

function isWrite(line: HistoryLine): line is WriteLine {
  return line.kind === "write";
}

function isCall(line: HistoryLine): line is CallLine {
  return line.kind === "call";
}

function isOfFirst({ process }: CallLine): boolean {
  return process === "creator of t0";
}

function sentences(lines: readonly HistoryLine[]): readonly string[] {
  const { history, misplaced } = historyOf(lines.map((line) => ({ ...line, place: null })));
  expect(misplaced).toEqual([]);
  return judge(history).flatMap(({ violations }) => violations.map(({ sentence }) => sentence));
}
