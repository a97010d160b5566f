/** The one place that knows the public JSON of the fleet's state. For operators. */
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";
import type { ServiceQueue } from "../domain/queue-summary.ts";
import type { Coordinators } from "../store/coordinators.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";

/** Of those that have open tasks, the longest wait first. */
const QUEUES_SHOWN_MAX = 100;

export const fleetSchema = z
  .object({
    queued_tasks: z.int(),
    running_tasks: z.int(),
    oldest_queued: timestampSchema.nullable().describe("When the task that waits longest was created."),
    queues: z
      .array(
        z.object({
          service_id: idSchema,
          service_name: z.string().nullable(),
          team_id: idSchema,
          team_name: z.string().nullable(),
          queued: z.int(),
          running: z.int(),
          oldest_queued: timestampSchema.nullable(),
        }),
      )
      .describe(`Of services with open tasks, the longest wait first; at most ${QUEUES_SHOWN_MAX}.`),
    requeue: z.object({
      stopped_since: timestampSchema
        .nullable()
        .describe("While most of the fleet is gone at once: nothing is requeued."),
      resumed_until: timestampSchema.nullable().describe("By an operator's order, while it holds."),
    }),
    leader: z
      .object({ coordinator_id: idSchema, since: timestampSchema })
      .nullable()
      .describe("null while no coordinator leads."),
    coordinators: z
      .array(
        z.object({
          coordinator_id: idSchema,
          grpc_address: z.string(),
          version: z.string(),
          roles: z.array(z.string()),
          started: timestampSchema,
        }),
      )
      .describe("Those that agents are linked to; not those that serve HTTP alone."),
    agent_versions: z.array(z.object({ version: z.string(), nodes: z.int() })).describe("Of nodes that are not gone."),
  })
  .meta({ id: "Fleet" });

export type FleetRecord = z.output<typeof fleetSchema>;

export interface FleetFacts {
  readonly coordinators: Coordinators;
  readonly queues: readonly ServiceQueue[];
  readonly openSince: Instant | null;
  /** Of the last order, which may have ended. */
  readonly resumedUntil: Instant | null;
}

export function fleetRecord(
  view: Pick<View, "services" | "teams" | "nodes">,
  { coordinators: { living, leader }, queues, openSince, resumedUntil }: FleetFacts,
  now: Instant,
): FleetRecord {
  return {
    queued_tasks: sum(queues.map(({ queued }) => queued)),
    running_tasks: sum(queues.map(({ running }) => running)),
    oldest_queued: timestampOrNull(queues[0]?.oldestQueuedAt ?? null),
    queues: queues.slice(0, QUEUES_SHOWN_MAX).map(({ serviceId, teamId, queued, running, oldestQueuedAt }) => ({
      service_id: serviceId,
      service_name: view.services.get(serviceId)?.value.name ?? null,
      team_id: teamId,
      team_name: view.teams.get(teamId)?.value.name ?? null,
      queued,
      running,
      oldest_queued: timestampOrNull(oldestQueuedAt),
    })),
    requeue: {
      stopped_since: timestampOrNull(openSince),
      resumed_until: timestampOrNull(resumedUntil !== null && now < resumedUntil ? resumedUntil : null),
    },
    leader: leader === null ? null : { coordinator_id: leader.id, since: timestamp(leader.since) },
    coordinators: living.map(({ id, grpcAddress, version, roles, startedAt }) => ({
      coordinator_id: id,
      grpc_address: grpcAddress,
      version,
      roles: [...roles],
      started: timestamp(startedAt),
    })),
    agent_versions: versionsOf(view),
  };
}

function versionsOf({ nodes }: Pick<View, "nodes">): FleetRecord["agent_versions"] {
  const counts = new Map<string, number>();
  for (const { value } of nodes.values()) {
    if (value.state !== "gone") counts.set(value.agentVersion, (counts.get(value.agentVersion) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([version, nodesOfIt]) => ({ version, nodes: nodesOfIt }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
