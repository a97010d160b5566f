/**
 * What runs workloads: docker/ for containers, kubernetes/ for Pods, builtin/ for provers that the agent brings along. A driver brings
 * one prover up and reports how it ended; when to start again is decided by supervise.ts.
 *
 *   start ──▶ Prover ──prove*──▶ ended
 *   find ──▶ FoundWorkload ──adopt──▶ Prover        (what an earlier agent process left)
 *                          └─remove─▶ gone
 */

import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { ProverLog } from "./prover-log.ts";
import type { ReportProgress } from "./start-progress.ts";
import type { WorkloadSpec } from "./workload-spec.ts";

export interface Driver {
  readonly name: "docker" | "builtin" | "kubernetes";
  /** Resolves once the prover takes calls; rejects with a StartFailure, or with the signal's reason. */
  start(spec: WorkloadSpec, report: ReportProgress, signal: AbortSignal): Promise<Prover>;
  /** Workloads of this node that are up without this process having started them. */
  find(): Promise<readonly FoundWorkload[]>;
}

export interface FoundWorkload {
  readonly assignmentId: string;
  /** What the engine calls it. */
  readonly handle: string;
  /** The prover if it is healthy, idle and made for just this spec; else null, and it is gone. */
  adopt(spec: WorkloadSpec, signal: AbortSignal): Promise<Prover | null>;
  remove(): Promise<void>;
}

/** One running prover. */
export interface Prover {
  /** What it writes to standard output and error. */
  readonly log: ProverLog;
  /** Never rejects: whatever goes wrong is part of what it returns. */
  prove(call: ProverCall): Promise<ProverAnswer>;
  /** Resolves when the prover has ended, whoever ended it. */
  readonly ended: Promise<ProverEnd>;
  /** Resolves once no call is under way. */
  idle(): Promise<void>;
  /** Ends it at once and waits until everything of it is gone. */
  stop(): Promise<void>;
}

export interface TaskInput {
  readonly bytes: number;
  /** The complete input when it came with the order; else null, and `open` fetches it. */
  readonly inline: Buffer | null;
  open(signal: AbortSignal): AsyncIterable<Buffer>;
}

/** Accepts the bytes that the prover returns. Throws to reject them: too many, or no room. */
export interface OutputSink {
  write(chunk: Buffer): Promise<void> | undefined;
}

export interface ProverCall {
  readonly taskId: string;
  /** Whose call it is; left out where a result is verified. */
  readonly attempt?: AttemptRef;
  readonly serviceId: string;
  /** W3C Trace Context for the prover's own spans; absent where the task has no trace. */
  readonly traceparent?: string | undefined;
  readonly input: TaskInput;
  readonly output: OutputSink;
  /** Ends the call: cancelled, timed out or fenced. */
  readonly signal: AbortSignal;
  /** Called once, when the prover is given the task; never called means that it did not see it. */
  readonly onCalled: () => void;
  /** What the prover says of how far it is, when it says something else than before; once a second at most. */
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  /** From 0 to 1. */
  readonly fraction: number;
  /** May be empty. */
  readonly message: string;
}

/** How a prover ended. */
export interface ProverEnd {
  readonly exitCode: number | null;
  /** Name of the signal that killed it, such as `SIGSEGV`. */
  readonly signal: string | null;
  readonly outOfMemory: boolean;
  /** The agent ended it, for whatever reason. */
  readonly byAgent: boolean;
}

/** The facts of a call; attempts/outcome.ts decides what they mean for the task. */
export type ProverAnswer =
  /** The output is complete in the sink. */
  | { readonly kind: "responded"; readonly killedForMemory?: boolean }
  /** The prover said no. */
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly logTail: string;
      /** The kernel killed a process of the prover meanwhile, and the prover lived on. */
      readonly killedForMemory?: boolean;
    }
  /** What came back is no response. */
  | {
      readonly kind: "garbled";
      readonly message: string;
      readonly logTail: string;
      readonly killedForMemory?: boolean;
    }
  | { readonly kind: "ended"; readonly end: ProverEnd; readonly logTail: string }
  /** The call's signal ended it. */
  | { readonly kind: "aborted"; readonly logTail: string }
  /** The input could not be had, or the sink refused the output, with this error. */
  | { readonly kind: "broken"; readonly error: unknown; readonly logTail: string };
