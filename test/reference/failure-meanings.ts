/** What each reason of a failure means. The types report where a reason has no meaning yet. */
import type { BuildFailureReason } from "@elastic/coordinator/domain/build.ts";
import type { FailureReason } from "@elastic/coordinator/domain/failure.ts";

export const TASK_FAILURE_MEANINGS: Readonly<Record<FailureReason, string>> = {
  queue_timeout: "No workload was free within the queue timeout.",
  start_timeout: "The prover was not ready within the start timeout.",
  run_timeout: "The proof was not finished within the run timeout.",
  cancelled: "A user cancelled the task, or its service was deleted.",
  prover_error: "The prover rejected the input, or exited.",
  bad_output: "The output is malformed, or the verifier rejected it.",
  out_of_memory: "The prover used more memory than its limit.",
  image_unavailable: "The image could not be pulled.",
  node_lost: "The machine was lost while the task ran on it.",
  node_disk_full: "The machine's disk is full.",
  gpu_fault: "The GPU failed.",
  input_corrupt: "The stored input is damaged or missing; no prover was given it. Send the same input again.",
  internal: "A fault of the service.",
};

export const BUILD_FAILURE_MEANINGS: Readonly<Record<BuildFailureReason, string>> = {
  source_unavailable: "The source could not be read at its source host, or is not retained any more.",
  source_invalid: "The source archive is malformed, too large, or has paths that are not permitted.",
  build_file_missing: "The source has no such build file.",
  base_image_unavailable: "A base image could not be pulled.",
  build_failed: "A step of the build file failed; `line` names it.",
  timeout: "The build did not end within its time limit.",
  out_of_memory: "The build used more memory than its limit.",
  disk_full: "The team's build disk, or the machine's disk, is full.",
  log_limit: "The build wrote more log than is accepted.",
  image_invalid: "The image cannot run here: platform, size, entry point or port.",
  registry_unavailable: "The image could not be pushed.",
  no_builder: "No machine that builds had room in time.",
  too_many_builds: "The team had as many open builds as it may have when the push came.",
  node_lost: "The machine was lost while the build ran on it.",
  internal: "A fault of the machine that built.",
};
