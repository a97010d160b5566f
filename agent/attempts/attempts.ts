/** Every attempt of this node: those that run, and through the outbox those whose outcome is not acknowledged. */
import {
  type AttemptDirective,
  type AttemptRef,
  Directive,
  type StartAttempt,
} from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { readTraceparent, traceFields } from "@elastic/std/tracing/trace-context.ts";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import { type AttemptKey, attemptKey } from "../domain/attempt-key.ts";
import type { TaskInput } from "../domain/driver.ts";
import type { AttemptLogs } from "../logs/attempt-logs.ts";
import type { CollectLimits } from "../results/collect.ts";
import { deadlines } from "./deadlines.ts";
import type { Outbox } from "./outbox.ts";
import type { StopCause } from "./outcome.ts";
import type { ProgressReports } from "./progress-reports.ts";
import { reportOf } from "./report.ts";
import { type EndedAttempt, type ProverSource, runAttempt } from "./run-attempt.ts";

export interface AttemptLimits extends CollectLimits {
  readonly logTailBytesMax: number;
}

export interface AttemptsOptions {
  readonly workload: (assignmentId: string) => ProverSource | undefined;
  readonly fetchInput: (start: StartAttempt) => TaskInput;
  readonly resultPath: (key: AttemptKey) => string;
  /** The long result of an attempt that nobody wants any more. */
  readonly discardResult: (key: AttemptKey) => void;
  readonly outbox: Outbox;
  readonly logs: Pick<AttemptLogs, "begin">;
  readonly progress: Pick<ProgressReports, "report" | "forget">;
  readonly limits: () => AttemptLimits;
  readonly onEnded: (ended: EndedAttempt) => void;
  readonly tracing: Pick<Tracing, "begin">;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Attempts {
  start(starts: readonly StartAttempt[]): void;
  cancel(ref: AttemptRef): void;
  /** What a coordinator returned for the attempts of a hello. */
  direct(directives: readonly AttemptDirective[]): void;
  /** Contact is lost: running attempts are abandoned and never reported, since others may have it by now. */
  fence(): void;
  /** Attempts that run or whose outcome is not acknowledged. */
  refs(): AttemptRef[];
  running(): number;
  /** Gives up what runs and waits until it is over. */
  stop(): Promise<void>;
}

interface RunningAttempt {
  readonly ref: AttemptRef;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

export function createAttempts(options: AttemptsOptions): Attempts {
  const { outbox, tracing, clock, log } = options;
  const runs = new Map<AttemptKey, RunningAttempt>();
  /** Abandoned, and not over yet. */
  const ending = new Map<AttemptKey, Promise<void>>();
  const timers = deadlines<AttemptKey>(clock);

  const begin = (start: StartAttempt, ref: AttemptRef): void => {
    const key = attemptKey(ref);
    if (runs.has(key) || outbox.has(key)) return;
    const stop = new AbortController();
    // An abandoned run that is current all the same begins again once it has ended: all that has its name would be shared.
    const before = ending.get(key);
    const over = before === undefined ? run(start, ref, stop) : before.then(() => run(start, ref, stop));
    runs.set(key, { ref, stop, over });
  };

  const run = (start: StartAttempt, ref: AttemptRef, stop: AbortController): Promise<void> => {
    const key = attemptKey(ref);
    const limits = options.limits();
    const runningLog = options.logs.begin(ref);
    const { taskId } = ref;
    const { serviceId, assignmentId, runTimeoutMs, requestId } = start;
    const traceparent = readTraceparent(start.traceparent);
    return runAttempt({
      order: {
        key,
        attempt: ref,
        taskId,
        serviceId,
        assignmentId,
        runTimeoutMs,
        traceparent,
        input: options.fetchInput(start),
      },
      workload: options.workload(assignmentId),
      log: runningLog,
      onProgress: (progress) => options.progress.report(ref, progress),
      limits,
      resultPath: options.resultPath(key),
      stop,
      deadlines: timers,
      tracing,
      clock,
    }).then((ended) => {
      runningLog.end(ended.outcome.kind === "failed" ? ended.outcome.logTail : "");
      options.progress.forget(ref);
      // A fenced attempt was taken off the list, and with it its right to report.
      if (runs.get(key)?.stop !== stop) {
        options.discardResult(key);
        return;
      }
      runs.delete(key);
      options.onEnded(ended);
      outbox.add({ ...reportOf(ref, ended, limits.logTailBytesMax), traceparent });
      logEnd(log, { taskId, requestId, attempt: ref.number, ...traceFields(traceparent) }, ended);
    });
  };

  const cancelKey = (key: AttemptKey): void => runs.get(key)?.stop.abort("cancelled" satisfies StopCause);

  const forget = (key: AttemptKey): void => {
    const abandoned = runs.get(key);
    runs.delete(key);
    if (abandoned !== undefined) {
      abandoned.stop.abort("cancelled" satisfies StopCause);
      ending.set(key, abandoned.over);
      void abandoned.over.then(() => {
        if (ending.get(key) === abandoned.over) ending.delete(key);
      });
    }
    outbox.drop(key);
  };

  return {
    start: (starts) => {
      for (const start of starts) if (start.attempt !== undefined) begin(start, start.attempt);
    },
    cancel: (ref) => cancelKey(attemptKey(ref)),
    direct: (directives) => {
      for (const { attempt, directive } of directives) {
        if (attempt !== undefined && directive === Directive.DIRECTIVE_CANCEL) forget(attemptKey(attempt));
      }
    },
    fence: () => {
      for (const key of [...runs.keys()]) forget(key);
    },
    refs: () => [...[...runs.values()].map((run) => run.ref), ...outbox.refs()],
    running: () => runs.size,
    stop: async () => {
      const open = [...runs.values()];
      for (const key of [...runs.keys()]) forget(key);
      await Promise.all(open.map((run) => run.over));
    },
  };
}

/** Never with the message of a failure: a prover may quote its input there, and that is for the task's owner alone. */
function logEnd(log: Logger, about: object, { outcome, waitMs, runMs }: EndedAttempt): void {
  const times = { ...about, waitMs: Math.round(waitMs), runMs: Math.round(runMs) };
  if (outcome.kind === "failed") {
    const { reason, exitCode, message } = outcome;
    log.warn({ ...times, reason, exitCode, messageChars: message.length }, "attempt failed");
  } else log.debug(times, `attempt ${outcome.kind}`);
}
