/**
 * Histories of a correct service: tasks that are created, claimed, queued again and ended one step after the other, and
 * clients whose calls take effect at an instant between their invocation and their return, or of which nobody knows.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { CallLine, HistoryLine, Phase, SeenTask, WriteLine } from "../history-line.ts";

/** A call on a task, after so many of its steps. */
interface PlannedCall {
  readonly f: "get" | "cancel";
  readonly afterSteps: number;
  readonly isUnknown: boolean;
  readonly process: number;
  /** How long before its effect it is invoked, and how long after it returns. */
  readonly early: number;
  readonly late: number;
}

interface PlannedTask {
  /** Whether the response to its creation is lost. */
  readonly isUnknown: boolean;
  /** Attempts that end without an outcome, before the one that ends the task. */
  readonly retries: number;
  readonly end: "succeeded" | "failed" | "cancelled";
  readonly calls: readonly PlannedCall[];
}

export type Plan = readonly PlannedTask[];

const call: fc.Arbitrary<PlannedCall> = fc.record({
  f: fc.constantFrom("get", "get", "cancel"),
  afterSteps: fc.nat({ max: 8 }),
  isUnknown: fc.boolean(),
  process: fc.nat({ max: 2 }),
  early: fc.nat({ max: 300 }),
  late: fc.nat({ max: 300 }),
});

export const plans: fc.Arbitrary<Plan> = fc.array(
  fc.record({
    isUnknown: fc.boolean(),
    retries: fc.nat({ max: 2 }),
    end: fc.constantFrom("succeeded", "failed", "cancelled"),
    calls: fc.array(call, { maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** As recorders begin: what is missing is missing. */
const RECORDED: readonly HistoryLine[] = ["clients-recorded", "store-watched"].map((name) => ({
  kind: "marker",
  name,
  at: 0,
}));

/** Between two steps of a task; calls that are long overlap several of them. */
const STEP_MS = 100;

export function historyOfPlan(plan: Plan): HistoryLine[] {
  let revision = 0;
  const ofTasks = plan.flatMap((task, index): readonly HistoryLine[] => {
    const taskId = `t${index}`;
    const steps = stepsOf(task, index);
    const writes = steps.map(({ write }) => ({ ...write, task_id: taskId, revision: ++revision }) as WriteLine);
    return [...creation(task, taskId, writes[0]), ...writes, ...callsOf(task, taskId, steps)];
  });
  return [...RECORDED, ...ofTasks];
}

interface Step {
  readonly write: Partial<WriteLine>;
  readonly shown: SeenTask;
}

function stepsOf({ retries, end }: PlannedTask, index: number): readonly Step[] {
  const input = { input_sha256: sha256(`input ${index}`) };
  const step = (phase: Phase, fields: Partial<WriteLine> = {}): Step => ({
    write: { kind: "write", phase, ...input, ...fields },
    shown: { state: "PENDING", phase, result_sha256: null, started: null, finished: null },
  });
  const attempts = Array.from({ length: retries + 1 }, (_, n) => [step("queued"), step("running", { attempt: n + 1 })]);
  const result_sha256 = end === "succeeded" ? sha256(`result ${index}`) : null;
  const ended = {
    write: step(end, result_sha256 === null ? {} : { attempt: retries + 1, result_sha256 }).write,
    shown: {
      state: end === "succeeded" ? "SUCCESS" : "FAILURE",
      phase: end,
      result_sha256,
      created: "2026-01-01T00:00:00",
      started: "2026-01-01T00:00:00",
      finished: "2026-01-01T00:00:01",
    },
  } as const;
  return [...attempts.flat(), ended];
}

function creation({ isUnknown }: PlannedTask, taskId: string, first: WriteLine | undefined): readonly CallLine[] {
  const of = { kind: "call", process: `creator of ${taskId}`, call: 1, f: "create" } as const;
  const input = first?.input_sha256 === undefined ? {} : { input_sha256: first.input_sha256 };
  const invoked: CallLine = { ...of, type: "invoke", at: 900, ...input };
  if (isUnknown) return [invoked, { ...of, type: "info", at: 1_050 }];
  return [invoked, { ...of, type: "ok", at: 1_050, task_id: taskId }];
}

/** Clients know of a task only once its creation was acknowledged. */
function callsOf({ isUnknown, calls }: PlannedTask, taskId: string, steps: readonly Step[]): readonly CallLine[] {
  if (isUnknown) return [];
  return calls.flatMap((planned, index) => {
    const { f, process, early, late } = planned;
    const last = steps.length - 1;
    // A cancellation that was acknowledged shows the end.
    const after = f === "cancel" ? last : Math.min(planned.afterSteps, last);
    const effect = 1_050 + STEP_MS * after + (index + 1);
    const of = { kind: "call", process: `${process} at ${taskId}`, call: index, f, task_id: taskId } as const;
    const invoked: CallLine = { ...of, type: "invoke", at: Math.max(1_050, effect - early) };
    if (planned.isUnknown) return [invoked, { ...of, type: "info", at: effect + late }];
    const task = steps[after]?.shown;
    return [invoked, { ...of, type: "ok", at: effect + late, ...(task === undefined ? {} : { task }) }];
  });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
