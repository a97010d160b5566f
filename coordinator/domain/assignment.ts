/**
 * An assignment is the wish that a deployment, a shell or a build runs on a node; the scheduler alone writes it, and
 * removing it ends the workload. A workload is what became of the wish, as the node's agent reports it;
 * the fleet alone writes it. Both stand under the assignment's id.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { FailureReason } from "./failure.ts";

export interface Assignment {
  readonly id: string;
  readonly nodeId: string;
  readonly teamId: string;
  readonly slots: number;
  readonly gpuUuids: readonly string[];
  readonly createdAt: Instant;
  /** What holds the slots. */
  readonly workload:
    | { readonly kind: "deployment"; readonly deploymentId: string; readonly serviceId: string }
    /** To `erase` is to remove the home of a shell that was deleted. */
    | { readonly kind: "shell"; readonly shellId: string; readonly purpose: "run" | "erase" }
    /** It holds no slots and has no workload: its agent reports how it goes. */
    | { readonly kind: "build"; readonly buildId: string };
}

export type DeploymentAssignment = Assignment & {
  readonly workload: Extract<Assignment["workload"], { readonly kind: "deployment" }>;
};

export type ShellAssignment = Assignment & {
  readonly workload: Extract<Assignment["workload"], { readonly kind: "shell" }>;
};

export type BuildAssignment = Assignment & {
  readonly workload: Extract<Assignment["workload"], { readonly kind: "build" }>;
};

export function isOfBuild(assignment: Assignment): assignment is BuildAssignment {
  return assignment.workload.kind === "build";
}

export function isOfDeployment(assignment: Assignment): assignment is DeploymentAssignment {
  return assignment.workload.kind === "deployment";
}

export function isOfShell(assignment: Assignment): assignment is ShellAssignment {
  return assignment.workload.kind === "shell";
}

export type WorkloadPhase = "pulling" | "starting" | "ready" | "failed" | "stopped";

/** How far a start is: bringing the image in, then the volume, starting the container, waiting for its health. */
export const WORKLOAD_STEPS = ["pulling", "fetching", "starting", "checking"] as const;
export type WorkloadStep = (typeof WORKLOAD_STEPS)[number];

export interface WorkloadFailure {
  /** How far it had come; null where that is not known. */
  readonly step: WorkloadStep | null;
  readonly reason: FailureReason;
  readonly message: string;
  readonly exitCode: number | null;
  readonly logTail: string;
}

export interface Workload {
  readonly assignmentId: string;
  readonly nodeId: string;
  readonly phase: WorkloadPhase;
  /** Within a start; null where the agent does not say. */
  readonly step: WorkloadStep | null;
  /** Brought to the node for it until its step. */
  readonly bytes: number;
  readonly since: Instant;
  /** Present when failed. */
  readonly failure: WorkloadFailure | null;
}

/** What failed or stopped has let go of its slots and GPUs; what has not come up yet holds them. */
export function holdsRoom(workload: Pick<Workload, "phase"> | undefined): boolean {
  return workload?.phase !== "failed" && workload?.phase !== "stopped";
}
