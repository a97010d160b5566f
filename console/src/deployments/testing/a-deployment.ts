/** A deployment with every setting, for tests. */
import type { components } from "elastic-client/gen/schema.ts";

type Deployment = components["schemas"]["Deployment"];

export const IMAGE = `registry:5000/team/prover@sha256:${"1".repeat(64)}`;
export const ID = "d".repeat(32);

export const DEPLOYMENT: Deployment = {
  deployment_id: ID,
  service_id: "5".repeat(32),
  service_name: "prover",
  team_id: "a".repeat(32),
  creator_id: "c".repeat(32),
  state: "Ready",
  stage: "ready",
  stage_since: "2026-11-23T10:00:00",
  stage_note: null,
  created: "2026-11-23T10:00:00",
  image: IMAGE,
  tag: "v1",
  verifier_image: null,
  volume_id: "e".repeat(32),
  build_id: null,
  canary_of: null,
  rollback_of: null,
  starting: null,
  has_env: true,
  env_names: ["LEVEL", "TOKEN"],
  resources: {
    gpu_count: 1,
    gpu_model: "H100",
    gpu_memory_bytes: 80 * 1024 ** 3,
    gpu_mig_profile: null,
    node_labels: { zone: "a", spot: "" },
    cpu_millis: 1_500,
    memory_bytes: 1024 ** 3 / 2,
    pids: 512,
    tmp_bytes: 256 * 1024 ** 2,
  },
  scaling: { min: 0, max: 4, idle_timeout_seconds: 300, target_queue_seconds: 30 },
  limits: {
    queue_timeout_seconds: 86_400,
    start_timeout_seconds: 600,
    run_timeout_seconds: 3_600,
    concurrency: 1,
    prover_retries: 0,
  },
  failure: null,
};
