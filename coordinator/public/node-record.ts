/** The one place that knows a node's public JSON; what only its own page has is in node-details.ts. */
import { machineScore } from "@elastic/proto/score.ts";
import { z } from "zod";
import { countGpuTypes } from "../domain/gpu-types.ts";
import type { Node, NodeInventory, Quarantine } from "../domain/node.ts";
import { type NodeStanding, standingOf } from "../domain/node-drain.ts";
import { releasedAt } from "../domain/quarantine.ts";
import type { NodeSightings } from "../nodes/node-sightings.ts";
import type { NodeWork } from "../nodes/node-work.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";

export const NODE_STATES = ["JOINING", "READY", "DRAINING", "DRAINED", "LOST", "GONE"] as const;

const STATES: Readonly<Record<NodeStanding, (typeof NODE_STATES)[number]>> = {
  joining: "JOINING",
  ready: "READY",
  draining: "DRAINING",
  drained: "DRAINED",
  lost: "LOST",
  gone: "GONE",
};

const drainSchema = z
  .object({
    asked: timestampSchema,
    asked_by: idSchema.nullable().describe("The user; null where it was requested on the machine itself."),
    asked_by_name: z.string().nullable(),
    stop_shells: z.boolean(),
    spot: z.boolean().describe("Whether its machine is about to be taken away."),
  })
  .nullable();

const quarantineSchema = z
  .object({
    since: timestampSchema,
    reason: z.string(),
    last_refused: timestampSchema.describe("When it sent the last of them, to the minute."),
    ends: timestampSchema.describe("Unless it sends another one before."),
  })
  .nullable();

export const nodeSchema = z
  .object({
    node_id: z.string(),
    state: z.enum(NODE_STATES).describe("DRAINED: it takes nothing new, and nothing is left there."),
    since: timestampSchema,
    drain: drainSchema.describe("While it is to take nothing new; a node that is away drains once it is back."),
    quarantine: quarantineSchema.describe(
      "While it takes no work since its agent repeatedly sent what no agent sends. It drains meanwhile; resumeNode ends it.",
    ),
    hostname: z.string(),
    agent_version: z.string(),
    disk_pressure: z
      .string()
      .nullable()
      .describe("Why it takes no new workloads: its disks are full. null while they have room."),
    pool: z.string().nullable().describe("The pool that its machine is of."),
    machine: z.string().nullable().describe("As the driver of its pool names it."),
    labels: z.record(z.string(), z.string()),
    slots: z.int(),
    score: z
      .number()
      .nullable()
      .describe(
        "How fast it is, the sum of its GPUs' scores, or its CPU's where it has none; null until it was measured. It is " +
          "shown and decides nothing.",
      ),
    gpu_types: z.array(z.object({ gpu_type: z.string(), total: z.int(), free: z.int() })),
    running_attempts: z.int(),
    workloads: z.int().describe("Of deployments."),
    shells: z.int(),
    last_heartbeat: timestampSchema.nullable().describe("As the responding coordinator received it."),
    why_unheard: z.string().nullable().describe("In words, as that coordinator knows; null while the node responds."),
    certificate_ends: timestampSchema.nullable().describe("Of the certificate that it showed last."),
  })
  .meta({ id: "Node" });

export type NodeRecord = z.output<typeof nodeSchema>;

export interface NodeRecordSource {
  readonly nodeWork: Pick<NodeWork, "remainingOn" | "holdersOn">;
  readonly sightings: NodeSightings;
  readonly store: { readonly view: Pick<View, "users"> };
}

export function nodeRecord({ nodeWork, sightings, store }: NodeRecordSource, node: Node): NodeRecord {
  const { inventory, drain } = node;
  const remaining = nodeWork.remainingOn(node.id);
  const sighting = sightings.sighting(node.id);
  const types = countGpuTypes([{ node, held: nodeWork.holdersOn(node.id) }]);
  return {
    node_id: node.id,
    state: STATES[standingOf(node, remaining)],
    since: timestamp(node.since),
    drain: drain && drain.quarantine?.isDrainRequested !== false ? drainRecord(store.view, drain) : null,
    quarantine: drain?.quarantine ? quarantineRecord(drain.quarantine) : null,
    hostname: inventory.hostname,
    agent_version: node.agentVersion,
    disk_pressure: inventory.diskPressure ?? null,
    pool: node.pool?.id ?? null,
    machine: node.pool?.machine ?? null,
    labels: { ...inventory.labels },
    slots: inventory.slots,
    score: scoreOf(inventory),
    gpu_types: types.map(({ gpuType, total, free }) => ({ gpu_type: gpuType, total, free })),
    running_attempts: remaining.attempts,
    workloads: remaining.workloads,
    shells: remaining.shells,
    last_heartbeat: timestampOrNull(sighting?.lastSeenAt ?? null),
    why_unheard: sighting?.silenceReason ?? null,
    certificate_ends: timestampOrNull(sighting?.certificateEndsAt ?? null),
  };
}

function scoreOf({ gpusScore, cpuSpeed, gpus }: NodeInventory): number | null {
  if (gpusScore !== undefined) return gpusScore;
  return machineScore(
    cpuSpeed ?? null,
    gpus.map(({ speed }) => speed ?? null),
  );
}

function quarantineRecord(quarantine: Quarantine): NodeRecord["quarantine"] {
  return {
    since: timestamp(quarantine.since),
    reason: quarantine.reason,
    last_refused: timestamp(quarantine.lastRefusedAt),
    ends: timestamp(releasedAt(quarantine)),
  };
}

function drainRecord(
  { users }: Pick<View, "users">,
  { askedAt, userId, stopShells, spot }: NonNullable<Node["drain"]>,
): NodeRecord["drain"] {
  return {
    asked: timestamp(askedAt),
    asked_by: userId,
    asked_by_name: users.get(userId ?? "")?.value.name ?? null,
    stop_shells: stopShells,
    spot: spot === true,
  };
}
