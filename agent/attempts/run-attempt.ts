/** One attempt from its order to its outcome: a ready prover, the input, the call, what came of it. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Clock } from "@elastic/std/clock.ts";
import { reachedStage } from "@elastic/std/task-stages.ts";
import { type BegunSpan, beginWithin, type Tracing } from "@elastic/std/tracing/tracing.ts";
import type { Progress, Prover, ProverAnswer, ProverCall, TaskInput } from "../domain/driver.ts";
import { EngineAwayError } from "../domain/engine-away-error.ts";
import { StartFailure } from "../domain/start-failure.ts";
import type { WorkloadSpec } from "../domain/workload-spec.ts";
import type { RunningLog } from "../logs/attempt-logs.ts";
import { type Collected, type CollectLimits, type Collector, collectResult } from "../results/collect.ts";
import { verifyResult } from "../verify/verify-result.ts";
import type { Deadlines } from "./deadlines.ts";
import {
  internalOutcome,
  type Outcome,
  outcomeOf,
  type StopCause,
  startFailureOutcome,
  verifiedOutcome,
} from "./outcome.ts";

interface AttemptOrder {
  readonly key: string;
  readonly attempt?: AttemptRef;
  readonly taskId: string;
  readonly serviceId: string;
  readonly assignmentId: string;
  readonly input: TaskInput;
  readonly runTimeoutMs: number;
  /** W3C Trace Context; undefined where the task has no trace. */
  readonly traceparent: string | undefined;
}

/** What an attempt needs of a workload. */
export interface ProverSource {
  readonly spec: Pick<WorkloadSpec, "resources">;
  prover(signal: AbortSignal): Prover | Promise<Prover>;
  /** What must accept a result before it counts; null where nothing must. */
  readonly verifier: ((signal: AbortSignal) => Prover | Promise<Prover>) | null;
}

export interface AttemptWork {
  readonly order: AttemptOrder;
  readonly workload: ProverSource | undefined;
  readonly log: RunningLog;
  readonly onProgress: (progress: Progress) => void;
  readonly limits: CollectLimits;
  /** Where a result goes that is too long for memory. */
  readonly resultPath: string;
  /** Aborted with a StopCause. */
  readonly stop: AbortController;
  readonly deadlines: Deadlines<string>;
  readonly tracing: Pick<Tracing, "begin">;
  readonly clock: Clock;
}

export interface EndedAttempt {
  readonly outcome: Outcome;
  /** From the order to the call of the prover. */
  readonly waitMs: number;
  readonly runMs: number;
}

/** How often an attempt whose prover ended before it saw the task looks for another one. */
const PROVERS_TRIED_MAX = 3;

/** Never rejects. */
export async function runAttempt(work: AttemptWork): Promise<EndedAttempt> {
  const { clock, order } = work;
  const orderedAt = clock.monotonicMs();
  reachedStage("received", order.taskId);
  let calledAt: number | null = null;
  const onCalled = (): void => {
    calledAt = clock.monotonicMs();
    reachedStage("called", order.taskId);
    work.deadlines.set(order.key, order.runTimeoutMs, () => work.stop.abort("run_timeout" satisfies StopCause));
  };
  const outcome = await attempt(work, onCalled, () => calledAt !== null).catch((error: unknown) =>
    failedAttempt(work, error),
  );
  work.deadlines.clear(order.key);
  const endedAt = clock.monotonicMs();
  return {
    outcome,
    waitMs: Math.max(0, (calledAt ?? endedAt) - orderedAt),
    runMs: calledAt === null ? 0 : Math.max(0, endedAt - calledAt),
  };
}

async function attempt(work: AttemptWork, onCalled: () => void, wasCalled: () => boolean): Promise<Outcome> {
  const { workload } = work;
  if (workload === undefined) return internalOutcome("the task's workload is not on this node");
  const span = beginSpan(work, "run");
  try {
    const { answer, collector } = await prove(work, workload, { traceparent: span.traceparent, onCalled, wasCalled });
    span.end(answer.kind === "responded" ? {} : { error: answer.kind });
    return await conclude(work, answer, collector);
  } finally {
    // Where it threw: an ended span stays as it is.
    span.end();
  }
}

function beginSpan({ tracing, order }: AttemptWork, name: "run" | "verify"): BegunSpan {
  const attributes = { "elastic.task.id": order.taskId, "elastic.service.id": order.serviceId };
  return beginWithin(tracing, order.traceparent, { name, attributes });
}

interface Proved {
  readonly answer: ProverAnswer;
  readonly collector: Collector;
}

async function prove(
  work: AttemptWork,
  workload: ProverSource,
  call: Pick<ProverCall, "traceparent" | "onCalled"> & { readonly wasCalled: () => boolean },
): Promise<Proved> {
  const { order, stop } = work;
  const { traceparent, onCalled, wasCalled } = call;
  for (let tried = 1; ; tried += 1) {
    const prover = await workload.prover(stop.signal);
    const collector = collectResult(work.resultPath, work.limits);
    work.log.follow(prover.log);
    const answer = await prover.prove({
      taskId: order.taskId,
      ...(order.attempt === undefined ? {} : { attempt: order.attempt }),
      serviceId: order.serviceId,
      input: order.input,
      output: collector,
      signal: stop.signal,
      traceparent,
      onCalled,
      onProgress: work.onProgress,
    });
    work.log.release();
    reachedStage("answered", order.taskId);
    if (answer.kind === "ended" && !wasCalled() && tried < PROVERS_TRIED_MAX) {
      await prover.ended;
      continue;
    }
    return { answer, collector };
  }
}

async function conclude(work: AttemptWork, answer: ProverAnswer, collector: Collector): Promise<Outcome> {
  const { order, stop } = work;
  const collected = answer.kind === "responded" ? await finishOrDiscard(collector, order.taskId) : null;
  if (answer.kind !== "responded") await collector.discard();
  const stopped = stopCause(stop.signal);
  const outcome = outcomeOf({
    answer,
    collected,
    stopped,
    runTimeoutMs: order.runTimeoutMs,
    memoryBytes: memoryOf(work),
  });
  return outcome.kind === "succeeded" ? verified(work, outcome, collector) : outcome;
}

/** A result that is not accepted leaves nothing behind. */
async function verified(
  work: AttemptWork,
  outcome: Extract<Outcome, { kind: "succeeded" }>,
  collector: Collector,
): Promise<Outcome> {
  const { order, workload, stop } = work;
  if (!workload?.verifier) return outcome;
  const { taskId, serviceId, input } = order;
  const { result } = outcome;
  const span = beginSpan(work, "verify");
  try {
    const verifier = await workload.verifier(stop.signal);
    const verdict = await verifyResult(verifier, { taskId, serviceId, input, result, signal: stop.signal });
    const judged = verifiedOutcome(result, verdict, stopCause(stop.signal));
    if (judged.kind !== "succeeded") await collector.discard();
    return judged;
  } catch (error) {
    await collector.discard();
    if (stop.signal.aborted) return verifiedOutcome(result, null, stopCause(stop.signal));
    if (error instanceof EngineAwayError) return failedAttempt(work, error);
    const message = error instanceof Error ? error.message : String(error);
    return internalOutcome(`the result could not be verified: ${message}`);
  } finally {
    span.end();
  }
}

/** A result that could not be stored, for want of room say, leaves nothing behind. */
async function finishOrDiscard(collector: Collector, taskId: string): Promise<Collected> {
  try {
    return await collector.finish(taskId);
  } catch (error) {
    await collector.discard();
    throw error;
  }
}

/** What was thrown: the workload did not come up, the attempt was stopped while it waited, or the disk is full. */
function failedAttempt(work: AttemptWork, error: unknown): Outcome {
  if (error instanceof StartFailure) return startFailureOutcome(error);
  const stopped = stopCause(work.stop.signal);
  const answer: ProverAnswer = { kind: "broken", error, logTail: "" };
  return outcomeOf({
    answer,
    collected: null,
    stopped,
    runTimeoutMs: work.order.runTimeoutMs,
    memoryBytes: memoryOf(work),
  });
}

function memoryOf({ workload }: AttemptWork): number | null {
  return workload?.spec.resources.memoryBytes ?? null;
}

function stopCause(signal: AbortSignal): StopCause | null {
  return signal.aborted ? (signal.reason as StopCause) : null;
}
