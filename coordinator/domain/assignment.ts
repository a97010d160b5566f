/**
 * An assignment is the wish that a deployment holds slots of a node; the scheduler alone writes it, and
 * removing it ends the workload. A workload is what became of the wish, as the node's agent reports it;
 * the fleet alone writes it. Both stand under the assignment's id.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { FailureReason } from "./failure.ts";

export interface Assignment {
  readonly id: string;
  readonly nodeId: string;
  readonly deploymentId: string;
  readonly serviceId: string;
  readonly teamId: string;
  readonly slots: number;
  readonly gpuUuids: readonly string[];
  readonly createdAt: Instant;
}

export type WorkloadPhase = "pulling" | "starting" | "ready" | "failed" | "stopped";

export interface WorkloadFailure {
  readonly reason: FailureReason;
  readonly message: string;
  readonly exitCode: number | null;
  readonly logTail: string;
}

export interface Workload {
  readonly assignmentId: string;
  readonly nodeId: string;
  readonly phase: WorkloadPhase;
  readonly since: Instant;
  /** Present when failed. */
  readonly failure: WorkloadFailure | null;
}
