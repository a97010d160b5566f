/**
 * Keeps one workload up from its assignment to its end: starts it, says how it stands, starts it again when it
 * ended, and hands its prover to attempts. A workload that failed to start stays `failed` to the outside while
 * it is tried again, so that the reason stays visible until it is ready.
 *
 *   pulling ─▶ starting ─▶ ready ─▶ (ended) ─▶ starting …
 *      └──────────┴─▶ failed ─▶ (tried again) ─▶ ready
 *   any ──stop──▶ stopped
 */

import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import type { Driver, FoundWorkload, Prover } from "../domain/driver.ts";
import { StartFailure } from "../domain/start-failure.ts";
import { type StartProgress, StartReporter, type StartStep } from "../domain/start-progress.ts";
import { type StartStage, StartStages } from "../domain/start-stages.ts";
import type { WorkloadSpec } from "../domain/workload-spec.ts";
import { afterEnd, afterFailedStart, NO_FAILURES } from "./restart.ts";

export type WorkloadState =
  | { readonly kind: "pulling" | "starting" | "ready"; readonly progress: StartProgress | null }
  | { readonly kind: "stopped" }
  /** `progress` is how far it came. */
  | { readonly kind: "failed"; readonly failure: StartFailure; readonly progress: StartProgress | null };

export interface SupervisedWorkload {
  readonly spec: WorkloadSpec;
  state(): WorkloadState;
  /** A prover that takes calls; waits for one. Rejects with a StartFailure or with the signal's reason. */
  prover(signal: AbortSignal): Prover | Promise<Prover>;
  /** Of what must accept each result before it counts, as `prover`; null where nothing must. */
  readonly verifier: ((signal: AbortSignal) => Prover | Promise<Prover>) | null;
  /** Ends it once the calls under way are over. Resolves when nothing of it is left. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  readonly spec: WorkloadSpec;
  readonly driver: Driver;
  /** What stands already and may be taken over. */
  readonly found: FoundWorkload | null;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onState: (workload: SupervisedWorkload) => void;
  /** It came up, and was not adopted; how long each stage took. */
  readonly onStarted: (stagesMs: ReadonlyMap<StartStage, number>) => void;
}

const PHASE_OF: Readonly<Record<StartStep, "pulling" | "starting">> = {
  pulling: "pulling",
  fetching: "pulling",
  starting: "starting",
  checking: "starting",
};

interface Waiter {
  readonly resolve: (prover: Prover) => void;
  readonly reject: (error: unknown) => void;
}

export function supervise(options: SuperviseOptions): SupervisedWorkload {
  const { spec, driver, clock, onState } = options;
  const log = options.log.child({ assignmentId: spec.assignmentId, serviceId: spec.serviceId });
  const stopping = new AbortController();
  const waiters = new Set<Waiter>();
  const reporter = new StartReporter(clock);
  let state: WorkloadState = { kind: "starting", progress: null };
  let current: Prover | null = null;
  let served = false;

  const enter = (next: WorkloadState): void => {
    if (state.kind === next.kind && next.kind !== "failed") return;
    state = next;
    onState(workload);
  };

  const reportTo = (stages: StartStages) => (progress: StartProgress) => {
    stages.take(progress);
    const isNews = reporter.take(progress);
    // A failure stays in sight until the workload is ready: only a first start reports its steps.
    if (state.kind === "failed" || state.kind === "stopped") return;
    state = { kind: PHASE_OF[progress.step], progress };
    if (isNews) onState(workload);
  };

  const bringUp = async (found: FoundWorkload | null): Promise<Prover> => {
    const deadline = AbortSignal.timeout(spec.startTimeoutMs);
    const signal = AbortSignal.any([stopping.signal, deadline]);
    reporter.reset();
    try {
      const adopted = found === null ? null : await found.adopt(spec, signal);
      if (adopted !== null) return adopted;
      const stages = new StartStages(clock);
      const prover = await driver.start(spec, reportTo(stages), signal);
      options.onStarted(stages.end());
      return prover;
    } catch (error) {
      if (error instanceof StartFailure || !deadline.aborted || stopping.signal.aborted) throw error;
      const seconds = spec.startTimeoutMs / 1000;
      throw new StartFailure("start_timeout", `the workload was not ready within ${seconds} s`, { cause: error });
    }
  };

  const run = async (): Promise<void> => {
    let found = options.found;
    let history = NO_FAILURES;
    while (!stopping.signal.aborted) {
      try {
        current = await bringUp(found);
        const readyAt = clock.monotonicMs();
        served = false;
        enter({ kind: "ready", progress: reporter.latest });
        log.info("workload is ready");
        for (const waiter of waiters) waiter.resolve(current);
        waiters.clear();
        const end = await current.ended;
        current = null;
        if (stopping.signal.aborted) break;
        const decision = afterEnd(history, clock.monotonicMs() - readyAt, served);
        history = decision.history;
        log.warn({ ...end, delayMs: decision.delayMs }, "workload ended and is started again");
        enter({ kind: "starting", progress: null });
        await pause(decision.delayMs, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) break;
        const failure = StartFailure.from(error);
        const decision = afterFailedStart(history);
        history = decision.history;
        const { reason, exitCode } = failure;
        log.warn({ reason, exitCode, delayMs: decision.delayMs }, `workload failed to start: ${failure.message}`);
        enter({ kind: "failed", failure, progress: reporter.latest });
        for (const waiter of waiters) waiter.reject(failure);
        waiters.clear();
        await pause(decision.delayMs, stopping.signal);
      }
      found = null;
    }
  };

  const workload: SupervisedWorkload = {
    spec,
    state: () => state,
    verifier: null,
    prover: (signal) => {
      if (current !== null) return marked(current);
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise<Prover>((resolve, reject) => {
        const waiter: Waiter = {
          resolve: (prover) => resolve(marked(prover)),
          reject,
        };
        waiters.add(waiter);
        signal.addEventListener(
          "abort",
          () => {
            if (waiters.delete(waiter)) reject(signal.reason);
          },
          { once: true },
        );
      });
    },
    stop: async () => {
      stopping.abort(new Error("the workload was stopped"));
      const failure = new StartFailure("internal", "the workload was stopped before it took the task");
      for (const waiter of waiters) waiter.reject(failure);
      waiters.clear();
      // Whoever works for a task may finish: each call has its own limit, and a cancel ends it sooner.
      await Promise.race([current?.idle(), current?.ended]);
      await current?.stop();
      await running;
      enter({ kind: "stopped" });
    },
  };
  const marked = (prover: Prover): Prover => {
    served = true;
    return prover;
  };
  const running = run();
  return workload;
}
