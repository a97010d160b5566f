/** The one place that knows a deployment's public JSON. */
import { z } from "zod";
import type { Deployment } from "../domain/deployment.ts";
import { ROLL_OUT_STAGES, type RollOut, type RollOutStage } from "../domain/roll-out.ts";
import type { Service } from "../domain/service.ts";
import type { StartBoard } from "../progress/start-board.ts";
import { envNames } from "../secrets/deployment-env.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type DeploymentFailureRecord, deploymentFailureSchema, failureRecord } from "./deployment-failure.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const deploymentSchema = z
  .object({
    deployment_id: idSchema,
    service_id: idSchema,
    service_name: z.string(),
    team_id: idSchema,
    creator_id: idSchema,
    state: z
      .enum(["Unready", "Ready", "Failed", "Retired"])
      .describe("Coming up, serving, did not come up, or another took its place."),
    stage: z.enum(ROLL_OUT_STAGES).describe("How far its roll-out is, or came."),
    stage_since: timestampSchema,
    stage_note: z.string().nullable().describe("What is waited for, or what made the stage begin."),
    starting: z
      .object({
        warning: z.string().nullable().describe("What keeps it from being healthy; null where nothing shows."),
        log_tail: z.string().describe("The end of what it wrote since it was started."),
      })
      .nullable()
      .describe("Of a prover that runs and is not healthy yet, as its machine reported last; null for any other."),
    created: timestampSchema,
    image: z.string().describe("By digest."),
    tag: z.string(),
    verifier_image: z.string().nullable().describe("By digest; must accept each proof before it counts."),
    volume_id: idSchema.nullable().describe("What its containers see at /data."),
    build_id: idSchema.nullable().describe("The build whose image it is, where it follows from one."),
    canary_of: idSchema
      .nullable()
      .describe("The task whose input it must prove before it serves; null where there is none."),
    rollback_of: idSchema.nullable().describe("The deployment that this one repeats."),
    has_env: z.boolean(),
    env_names: z
      .array(z.string())
      .nullable()
      .describe("Names in its environment, whose values are never shown; null where it can no longer be opened."),
    resources: z.object({
      gpu_count: z.int(),
      gpu_model: z.string().nullable(),
      gpu_memory_bytes: z.int(),
      gpu_mig_profile: z.string().nullable(),
      node_labels: z.record(z.string(), z.string()),
      cpu_millis: z.int(),
      memory_bytes: z.int(),
      pids: z.int(),
      tmp_bytes: z.int(),
    }),
    scaling: z.object({
      min: z.int(),
      max: z.int(),
      idle_timeout_seconds: z.number(),
      target_queue_seconds: z.number(),
    }),
    limits: z.object({
      queue_timeout_seconds: z.number(),
      start_timeout_seconds: z.number(),
      run_timeout_seconds: z.number(),
      concurrency: z.int(),
      prover_retries: z.int(),
    }),
    failure: deploymentFailureSchema,
  })
  .meta({ id: "Deployment" });

export type DeploymentRecord = z.output<typeof deploymentSchema>;

export interface DeploymentRecordSource {
  readonly secrets: Pick<Secrets, "open">;
  /** Left out where nobody is shown how a prover starts. */
  readonly starts?: Pick<StartBoard, "ofDeployment">;
}

/** `rollOut` is null where there is no account of it. */
export function deploymentRecord(
  { secrets, starts }: DeploymentRecordSource,
  service: Service,
  deployment: Deployment,
  rollOut: RollOut | null,
): DeploymentRecord {
  const { resources, scaling, limits } = deployment;
  const last = rollOut?.events.at(-1);
  const stage = stageOf(service, deployment.id, rollOut);
  const state = stateOf(service, deployment.id, stage);
  const isComing = state === "Unready" && stage !== "failed";
  const start = isComing ? (starts?.ofDeployment(deployment.id) ?? null) : null;
  return {
    deployment_id: deployment.id,
    service_id: deployment.serviceId,
    service_name: service.name,
    team_id: deployment.teamId,
    creator_id: deployment.creatorId,
    state,
    stage,
    stage_since: timestamp(last?.at ?? deployment.createdAt),
    stage_note: last?.note ?? null,
    starting: start?.step === "checking" ? { warning: start.warning || null, log_tail: start.logTail } : null,
    created: timestamp(deployment.createdAt),
    image: deployment.image,
    tag: deployment.tag,
    verifier_image: deployment.verifierImage,
    volume_id: deployment.volume?.id ?? null,
    build_id: deployment.buildId ?? null,
    canary_of: deployment.canary?.taskId ?? null,
    rollback_of: deployment.rollbackOf,
    has_env: deployment.sealedEnv !== null,
    env_names: envNames(secrets, deployment)?.slice() ?? null,
    resources: {
      gpu_count: resources.gpuCount,
      gpu_model: resources.gpuModel,
      gpu_memory_bytes: resources.gpuMemoryBytes,
      gpu_mig_profile: resources.gpuMigProfile ?? null,
      node_labels: { ...resources.nodeLabels },
      cpu_millis: resources.cpuMillis,
      memory_bytes: resources.memoryBytes,
      pids: resources.pids,
      tmp_bytes: resources.tmpBytes,
    },
    scaling: {
      min: scaling.min,
      max: scaling.max,
      idle_timeout_seconds: scaling.idleTimeoutMs / 1000,
      target_queue_seconds: scaling.targetQueueMs / 1000,
    },
    limits: {
      queue_timeout_seconds: limits.budgets.queueMs / 1000,
      start_timeout_seconds: limits.budgets.startMs / 1000,
      run_timeout_seconds: limits.budgets.runMs / 1000,
      concurrency: limits.concurrency,
      prover_retries: limits.proverRetries,
    },
    failure: last?.stage === "failed" ? failureRecord(last.failure) : failureOfService(service, deployment.id),
  };
}

function failureOfService({ rollOutFailure }: Service, deploymentId: string): DeploymentFailureRecord {
  if (rollOutFailure?.deploymentId !== deploymentId) return null;
  return failureRecord({ ...rollOutFailure, exitCode: null, logTail: "" });
}

function stageOf(service: Service, deploymentId: string, rollOut: RollOut | null): RollOutStage {
  if (service.rollOutFailure?.deploymentId === deploymentId) return "failed";
  return rollOut?.events.at(-1)?.stage ?? (service.nextDeploymentId === deploymentId ? "resolved" : "ready");
}

function stateOf(service: Service, deploymentId: string, stage: RollOutStage): DeploymentRecord["state"] {
  if (service.currentDeploymentId === deploymentId) return "Ready";
  if (service.nextDeploymentId === deploymentId) return "Unready";
  return stage === "failed" ? "Failed" : "Retired";
}
