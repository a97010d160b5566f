/** The one place that knows a service's public JSON. */
import { z } from "zod";
import { FAILURE_REASONS } from "../domain/failure.ts";
import { RETENTION_MS_DEFAULT, RETENTION_MS_MAX, RETENTION_MS_MIN } from "../domain/retention.ts";
import type { Service } from "../domain/service.ts";
import type { Waiting } from "../domain/waiting.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";
import { waitingSchema } from "./waiting-schema.ts";

export const failureSchema = z.object({ reason: z.enum(FAILURE_REASONS), message: z.string() }).nullable();

export const retentionSchema = z
  .int()
  .min(RETENTION_MS_MIN / 1000)
  .max(RETENTION_MS_MAX / 1000)
  .describe("How long inputs, results and logs of its tasks are retained after their end: an hour to 90 days.");

const STATES = { unready: "Unready", ready: "Ready", failed: "Failed", deleted: "Deleted" } as const;

export const serviceSchema = z
  .object({
    service_id: idSchema,
    service_name: z.string(),
    team_id: idSchema,
    team_name: z.string(),
    creator_id: idSchema,
    state: z.enum(["Unready", "Ready", "Failed", "Deleted"]),
    created: timestampSchema,
    service_url: z.string().describe("Where tasks are posted."),
    image: z.string().nullable().describe("What serves, or else what is coming up."),
    image_tag: z.string().nullable(),
    current_deployment_id: idSchema.nullable(),
    next_deployment_id: idSchema.nullable(),
    failure: failureSchema.describe("Why the newest roll-out failed."),
    waiting: waitingSchema.describe("Why what is coming up, or shall be up, is not yet."),
    result_retention_seconds: retentionSchema,
  })
  .meta({ id: "Service" });

export type ServiceRecord = z.output<typeof serviceSchema>;

export function publicServiceState({ state }: Pick<Service, "state">): ServiceRecord["state"] {
  return STATES[state.kind];
}

export interface ServiceRecordSource {
  readonly store: { readonly view: Pick<View, "teams" | "deployments"> };
  readonly outlook: { ofService(service: Service): Waiting | null };
  readonly publicUrl: () => string;
}

export function serviceRecord(
  { store: { view }, outlook, publicUrl }: ServiceRecordSource,
  service: Service,
): ServiceRecord {
  const shownId = service.currentDeploymentId ?? service.nextDeploymentId ?? service.rollOutFailure?.deploymentId;
  const shown = shownId === undefined ? undefined : view.deployments.get(shownId)?.value;
  const failed = service.rollOutFailure;
  return {
    service_id: service.id,
    service_name: service.name,
    team_id: service.teamId,
    team_name: view.teams.get(service.teamId)?.value.name ?? "",
    creator_id: service.creatorId,
    state: publicServiceState(service),
    created: timestamp(service.createdAt),
    service_url: `${publicUrl()}/v1/services/${service.id}`,
    image: shown?.image ?? null,
    image_tag: shown?.tag ?? null,
    current_deployment_id: service.currentDeploymentId,
    next_deployment_id: service.nextDeploymentId,
    failure: failed && { reason: failed.reason, message: failed.message },
    waiting: outlook.ofService(service),
    result_retention_seconds: (service.resultRetentionMs ?? RETENTION_MS_DEFAULT) / 1000,
  };
}
