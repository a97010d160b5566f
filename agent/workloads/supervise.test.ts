import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import type { Driver, FoundWorkload, Prover, ProverEnd } from "../domain/driver.ts";
import { proverLog } from "../domain/prover-log.ts";
import { StartFailure } from "../domain/start-failure.ts";
import { specOf } from "../domain/workload-spec.ts";
import { eventually } from "../testing/eventually.ts";
import { assignmentOf } from "../testing/orders.ts";
import { afterEnd, afterFailedStart, NO_FAILURES } from "./restart.ts";
import { type SupervisedWorkload, supervise } from "./supervise.ts";
import { workloadReport } from "./workload-report.ts";

/** A prover that ends when a test says so. */
class ScriptedProver implements Prover {
  readonly log = proverLog();
  readonly #end = Promise.withResolvers<ProverEnd>();
  readonly ended = this.#end.promise;
  end(end: Partial<ProverEnd> = {}): void {
    this.#end.resolve({ exitCode: 1, signal: null, outOfMemory: false, byAgent: false, ...end });
  }
  idle = async (): Promise<void> => undefined;
  async stop(): Promise<void> {
    this.end({ byAgent: true });
  }
  async prove(): Promise<{ readonly kind: "responded" }> {
    return { kind: "responded" };
  }
}

type Start = (signal: AbortSignal) => Promise<Prover>;

/** Starts as the list says, one after the other; the last repeats for ever. */
function scriptedDriver(...starts: readonly Start[]): Driver {
  let started = 0;
  return {
    name: "builtin",
    find: async () => [],
    start: (_, report, signal) => {
      report({ step: "starting", doneBytes: 0, totalBytes: 0 });
      const start = starts[Math.min(started, starts.length - 1)];
      started += 1;
      if (start === undefined) throw new Error("no start was scripted");
      return start(signal);
    },
  };
}

function superviseWith(
  driver: Driver,
  more: { startTimeoutMs?: number; found?: FoundWorkload } = {},
  onState: (each: SupervisedWorkload) => void = () => undefined,
) {
  const states: string[] = [];
  const started: string[][] = [];
  const spec = specOf(assignmentOf("builtin:scripted", { startTimeoutMs: more.startTimeoutMs ?? 5_000 }));
  if (spec === null) throw new Error("the assignment is not understood");
  const workload = supervise({
    spec,
    driver,
    found: more.found ?? null,
    clock: systemClock,
    log: createLog({ name: "test", level: "silent" }),
    onState: (each: SupervisedWorkload) => {
      states.push(each.state().kind);
      onState(each);
    },
    onStarted: (stagesMs) => started.push([...stagesMs.keys()]),
  });
  return { workload, states, started };
}

const anySignal = (): AbortSignal => new AbortController().signal;

test("a prover that ends is started again, and whoever waits gets the new one", async () => {
  const [first, second] = [new ScriptedProver(), new ScriptedProver()];
  const { workload, states, started } = superviseWith(
    scriptedDriver(
      async () => first,
      async () => second,
    ),
  );
  expect(await workload.prover(anySignal())).toBe(first);
  first.end();
  await first.ended;
  expect(await workload.prover(anySignal())).toBe(second);
  expect(states).toEqual(["starting", "ready", "starting", "starting", "ready"]);
  expect(started).toEqual([["start"], ["start"]]);
  await workload.stop();
  expect(states.at(-1)).toBe("stopped");
});

test("reports a failed start to who waits, retains it while it is tried again, and ends it when ready", async () => {
  const failure = new StartFailure("prover_error", "it exited");
  const ready = new ScriptedProver();
  const { workload, states, started } = superviseWith(
    scriptedDriver(
      () => Promise.reject(failure),
      async () => ready,
    ),
  );
  await expect(workload.prover(anySignal())).rejects.toBe(failure);
  expect(await workload.prover(anySignal())).toBe(ready);
  expect(states).toEqual(["starting", "failed", "ready"]);
  expect(started).toHaveLength(1);
  await workload.stop();
});

test("a failure says how far the start came, also while it is tried again", async () => {
  const reports: unknown[] = [];
  const driver: Driver = {
    name: "docker",
    find: async () => [],
    start: async (_, report) => {
      for (const step of ["pulling", "starting", "checking"] as const) report({ step, doneBytes: 7, totalBytes: 7 });
      throw new StartFailure("prover_error", "it exited");
    },
  };
  const { workload } = superviseWith(driver, {}, (each) => reports.push(workloadReport(each)));
  await expect(workload.prover(anySignal())).rejects.toThrow("it exited");
  const { WORKLOAD_PHASE_PULLING, WORKLOAD_PHASE_STARTING, WORKLOAD_PHASE_FAILED } = WorkloadPhase;
  expect(reports).toMatchObject([
    { phase: WORKLOAD_PHASE_PULLING, progress: { stage: "pulling", doneBytes: 7n } },
    { phase: WORKLOAD_PHASE_STARTING, progress: { stage: "starting" } },
    { phase: WORKLOAD_PHASE_STARTING, progress: { stage: "checking" } },
    { phase: WORKLOAD_PHASE_FAILED, progress: { stage: "checking" }, failure: { reason: "prover_error" } },
  ]);
  await workload.stop();
});

test("a start that takes too long fails with start_timeout", async () => {
  const never: Start = (signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  const { workload } = superviseWith(scriptedDriver(never), { startTimeoutMs: 50 });
  await expect(workload.prover(anySignal())).rejects.toMatchObject({ reason: "start_timeout" });
  await workload.stop();
});

test("what an earlier process left is taken over; if that is not possible a new one is started", async () => {
  const [left, fresh] = [new ScriptedProver(), new ScriptedProver()];
  const found = (adopted: Prover | null): FoundWorkload => ({
    assignmentId: "a1",
    handle: "c1",
    adopt: async () => adopted,
    remove: async () => undefined,
  });
  const takenOver = superviseWith(
    scriptedDriver(async () => fresh),
    { found: found(left) },
  ).workload;
  expect(await takenOver.prover(anySignal())).toBe(left);
  const started = superviseWith(
    scriptedDriver(async () => fresh),
    { found: found(null) },
  ).workload;
  expect(await started.prover(anySignal())).toBe(fresh);
  await takenOver.stop();
  await started.stop();
});

test("notifies who waits when the workload is stopped, or when it gives up on its own", async () => {
  const never: Start = (signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  const { workload } = superviseWith(scriptedDriver(never));
  const tired = new AbortController();
  const waiting = workload.prover(tired.signal);
  tired.abort("cancelled");
  await expect(waiting).rejects.toBe("cancelled");
  await expect(workload.prover(AbortSignal.abort("cancelled"))).rejects.toBe("cancelled");
  const other = workload.prover(anySignal());
  await workload.stop();
  await expect(other).rejects.toMatchObject({ reason: "internal" });
  await eventually("the end", () => workload.state().kind === "stopped" || undefined);
});

test("a workload that is stopped lets its calls finish first", async () => {
  const prover = new ScriptedProver();
  const calls = Promise.withResolvers<void>();
  prover.idle = () => calls.promise;
  const { workload, states } = superviseWith(scriptedDriver(async () => prover));
  await workload.prover(anySignal());
  const stopped = workload.stop();
  expect(states).toEqual(["starting", "ready"]);
  calls.resolve();
  await stopped;
  expect(states).toEqual(["starting", "ready", "stopped"]);
});

test("restarts wait longer the more fail in a row, up to a minute, and not at all after serving", () => {
  let history = NO_FAILURES;
  const delays: number[] = [];
  for (let failure = 0; failure < 10; failure += 1) {
    const decision = afterFailedStart(history);
    history = decision.history;
    delays.push(decision.delayMs);
  }
  expect(delays.slice(0, 3)).toEqual([500, 1_000, 2_000]);
  expect(delays.at(-1)).toBe(60_000);
  expect(afterEnd(history, 0, true)).toEqual({ delayMs: 0, history: NO_FAILURES });
  expect(afterEnd(NO_FAILURES, 0, false).delayMs).toBe(0);
  expect(afterEnd({ failuresInRow: 1 }, 0, false).delayMs).toBeGreaterThan(0);
});
