/** The reasons an agent gives for a failure, out of the closed list that coordinators know. */
export type FailureReason =
  | "start_timeout"
  | "run_timeout"
  | "prover_error"
  | "bad_output"
  | "out_of_memory"
  | "image_unavailable"
  /** What the workload stood on went away, as its container engine may: costs its tasks no attempt. */
  | "node_lost"
  | "node_disk_full"
  | "gpu_fault"
  | "internal";
