/**
 * The reasons of failures, which cross the wire as text: of tasks and workloads in `AttemptFailed.reason` and
 * `WorkloadFailure.reason`, of builds in `BuildFailed.reason`. Both sides take them from here.
 */

/** Why a task did not succeed, or a workload did not come up. */
export const FAILURE_REASONS = [
  "queue_timeout",
  "start_timeout",
  "run_timeout",
  "cancelled",
  "prover_error",
  "bad_output",
  "out_of_memory",
  "image_unavailable",
  // What the workload depends on failed, as its container engine may: costs its tasks no attempt.
  "node_lost",
  "node_disk_full",
  "gpu_fault",
  // What coordinators have of the input is not what was sent.
  "input_corrupt",
  "internal",
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Decided by coordinators alone: no agent reports them. */
export const COORDINATOR_FAILURE_REASONS = ["queue_timeout", "cancelled"] as const satisfies readonly FailureReason[];

/**
 * Of the service and its machines: neither the prover nor the user brought them about. Service levels count these alone
 * (deploy/prometheus/elastic.rules.yml); an image that is not there or does not start in time is its owner's.
 */
export const SERVICE_FAILURE_REASONS = [
  "node_lost",
  "node_disk_full",
  "gpu_fault",
  "input_corrupt",
  "internal",
  "queue_timeout",
] as const satisfies readonly FailureReason[];

/** What an agent may report. */
export type AgentFailureReason = Exclude<FailureReason, (typeof COORDINATOR_FAILURE_REASONS)[number]>;

export const AGENT_FAILURE_REASONS = FAILURE_REASONS.filter(isOfAgent);

function isOfAgent(reason: FailureReason): reason is AgentFailureReason {
  return !(COORDINATOR_FAILURE_REASONS as readonly FailureReason[]).includes(reason);
}

/** Why a build ended without an image. */
export const BUILD_FAILURE_REASONS = [
  "source_unavailable",
  "source_invalid",
  "build_file_missing",
  "base_image_unavailable",
  "build_failed",
  "timeout",
  "out_of_memory",
  "disk_full",
  "log_limit",
  "image_invalid",
  "registry_unavailable",
  "no_builder",
  "too_many_builds",
  "node_lost",
  "internal",
] as const;

export type BuildFailureReason = (typeof BUILD_FAILURE_REASONS)[number];

/** What an agent may report of a build; the others are decided by coordinators. */
export type AgentBuildFailureReason = Exclude<BuildFailureReason, "no_builder" | "too_many_builds" | "node_lost">;
