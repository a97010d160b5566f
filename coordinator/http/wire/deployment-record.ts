/** The one place that knows a deployment's public JSON. */
import { z } from "zod";
import type { Deployment } from "../../domain/deployment.ts";
import type { Service } from "../../domain/service.ts";
import { idSchema } from "./id-schema.ts";
import { failureSchema } from "./service-record.ts";
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
    created: timestampSchema,
    image: z.string().describe("By digest."),
    tag: z.string(),
    has_env: z.boolean(),
    resources: z.object({
      gpu_count: z.int(),
      gpu_model: z.string().nullable(),
      gpu_memory_bytes: z.int(),
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
    failure: failureSchema,
  })
  .meta({ id: "Deployment" });

export type DeploymentRecord = z.output<typeof deploymentSchema>;

export function deploymentRecord(service: Service, deployment: Deployment): DeploymentRecord {
  const { resources, scaling, limits } = deployment;
  const failed = service.rollOutFailure?.deploymentId === deployment.id ? service.rollOutFailure : null;
  return {
    deployment_id: deployment.id,
    service_id: deployment.serviceId,
    service_name: service.name,
    team_id: deployment.teamId,
    creator_id: deployment.creatorId,
    state: stateOf(service, deployment.id),
    created: timestamp(deployment.createdAt),
    image: deployment.image,
    tag: deployment.tag,
    has_env: deployment.sealedEnv !== null,
    resources: {
      gpu_count: resources.gpuCount,
      gpu_model: resources.gpuModel,
      gpu_memory_bytes: resources.gpuMemoryBytes,
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
    failure: failed && { reason: failed.reason, message: failed.message },
  };
}

function stateOf(service: Service, deploymentId: string): DeploymentRecord["state"] {
  if (service.currentDeploymentId === deploymentId) return "Ready";
  if (service.nextDeploymentId === deploymentId) return "Unready";
  return service.rollOutFailure?.deploymentId === deploymentId ? "Failed" : "Retired";
}
