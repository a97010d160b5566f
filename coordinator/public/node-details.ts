/** What a node's own page has in addition to its record: its machine, its GPUs, and what it holds for whom. For operators. */
import { deviceScore } from "@elastic/proto/score.ts";
import { z } from "zod";
import type { Assignment } from "../domain/assignment.ts";
import { gpuTypeOf } from "../domain/gpu-types.ts";
import type { Node, NodeGpu, Speed } from "../domain/node.ts";
import type { Task } from "../domain/task.ts";
import type { GpuReading } from "../nodes/node-sightings.ts";
import type { NodeWork } from "../nodes/node-work.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { type NodeRecordSource, nodeRecord, nodeSchema } from "./node-record.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

/** Of a node that runs more the first are shown; `running_attempts` counts all. */
const ATTEMPTS_SHOWN_MAX = 500;

const holdingSchema = z
  .object({
    assignment_id: idSchema,
    kind: z
      .enum(["deployment", "shell", "shell_erasure", "build"])
      .describe("An erasure removes the home of a deleted shell."),
    team_id: idSchema,
    team_name: z.string(),
    service_id: idSchema.nullable(),
    service_name: z.string().nullable(),
    deployment_id: idSchema.nullable(),
    deployment_tag: z.string().nullable(),
    shell_id: idSchema.nullable(),
    shell_name: z.string().nullable(),
    build_id: idSchema.nullable(),
    phase: z.enum(["pulling", "starting", "ready", "failed", "stopped"]).nullable().describe("null: not reported yet."),
    failure: z.string().nullable(),
    slots: z.int(),
    gpu_uuids: z.array(z.string()),
    created: timestampSchema,
  })
  .meta({ id: "NodeHolding" });

const speedSchema = z
  .object({
    score: z.number().describe("The geometric mean of both rates, in millions a second."),
    msm_points_per_second: z.number().describe("In a sum of 2^20 multiples of points of bn256."),
    ntt_elements_per_second: z.number().describe("In a transform of 2^20 elements of its field of scalars."),
  })
  .meta({ id: "DeviceSpeed" })
  .nullable();

const gpuSchema = z
  .object({
    uuid: z.string(),
    gpu_type: z.string(),
    model: z.string(),
    memory_bytes: z.int(),
    mig_profile: z.string().nullable(),
    parent_uuid: z.string().nullable().describe("Of a MIG instance: the GPU that it is cut from."),
    pci_id: z.string(),
    driver_version: z.string(),
    compute_capability: z.string().nullable(),
    healthy: z.boolean(),
    quarantine_reason: z.string().nullable(),
    temperature_celsius: z.number().nullable().describe("At the last heartbeat, as the other two; null: not known."),
    memory_used_bytes: z.int().nullable(),
    utilisation: z.number().nullable().describe("From 0 to 1."),
    speed: speedSchema.describe("null until it was measured."),
    given_to: idSchema.nullable().describe("The `assignment_id` of what has it."),
  })
  .meta({ id: "NodeGpu" });

const attemptSchema = z
  .object({
    task_id: idSchema,
    service_id: idSchema,
    service_name: z.string().nullable(),
    team_id: idSchema,
    attempt: z.int(),
    assignment_id: idSchema,
    started: timestampSchema,
  })
  .meta({ id: "NodeAttempt" });

export const nodeDetailsSchema = nodeSchema
  .extend({
    cpu_cores: z.int(),
    cpu_speed: speedSchema.describe("null until it was measured."),
    memory_bytes: z.int(),
    engine: z.object({ name: z.string(), version: z.string() }).nullable(),
    builtin_provers: z.array(z.string()),
    takes_shells: z.boolean(),
    gpus: z.array(gpuSchema),
    holds: z.array(holdingSchema),
    attempts: z.array(attemptSchema).describe(`At most ${ATTEMPTS_SHOWN_MAX}.`),
  })
  .meta({ id: "NodeDetails" });

export type NodeDetails = z.output<typeof nodeDetailsSchema>;

type Named = Pick<View, "teams" | "services" | "deployments" | "shells" | "workloads">;

export interface NodeDetailsSource extends NodeRecordSource {
  readonly nodeWork: Pick<NodeWork, "remainingOn" | "holdersOn" | "assignmentsOn" | "attemptsOn">;
  readonly store: { readonly view: Pick<View, "users"> & Named };
}

export function nodeDetails(source: NodeDetailsSource, node: Node): NodeDetails {
  const { nodeWork, sightings, store } = source;
  const { inventory } = node;
  const holders = nodeWork.holdersOn(node.id);
  const readings = sightings.sighting(node.id)?.gpuReadings;
  return {
    ...nodeRecord(source, node),
    cpu_cores: inventory.cpuCores,
    cpu_speed: speedRecord(inventory.cpuSpeed),
    memory_bytes: inventory.memoryBytes,
    engine: inventory.engine === null ? null : { ...inventory.engine },
    builtin_provers: [...inventory.builtinProvers],
    takes_shells: inventory.shells,
    gpus: inventory.gpus.map((gpu) => gpuRecord(gpu, holders.get(gpu.uuid), readings?.get(gpu.uuid))),
    holds: nodeWork.assignmentsOn(node.id).map((assignment) => holdingRecord(store.view, assignment)),
    attempts: nodeWork
      .attemptsOn(node.id)
      .slice(0, ATTEMPTS_SHOWN_MAX)
      .flatMap(({ value }) => attemptRecord(store.view, value)),
  };
}

function gpuRecord(
  gpu: NodeGpu,
  holder: Assignment | undefined,
  reading: GpuReading | undefined,
): NodeDetails["gpus"][number] {
  return {
    uuid: gpu.uuid,
    gpu_type: gpuTypeOf(gpu),
    model: gpu.model,
    memory_bytes: gpu.memoryBytes,
    mig_profile: gpu.migProfile || null,
    parent_uuid: gpu.parentUuid || null,
    pci_id: gpu.pciId,
    driver_version: gpu.driverVersion,
    compute_capability: gpu.computeCapability || null,
    healthy: gpu.unhealthyReason === null,
    quarantine_reason: gpu.unhealthyReason,
    temperature_celsius: reading?.temperatureCelsius ?? null,
    memory_used_bytes: reading?.usedBytes ?? null,
    utilisation: reading?.utilisation ?? null,
    speed: speedRecord(gpu.speed),
    given_to: holder?.id ?? null,
  };
}

function speedRecord(speed: Speed | undefined): NodeDetails["cpu_speed"] {
  if (speed === undefined) return null;
  return {
    score: deviceScore(speed),
    msm_points_per_second: speed.msmPointsPerSecond,
    ntt_elements_per_second: speed.nttElementsPerSecond,
  };
}

/** Null of what was forgotten meanwhile. */
function nameIn(
  records: { get(id: string): { readonly value: { readonly name: string } } | undefined },
  id: string,
): string | null {
  return records.get(id)?.value.name ?? null;
}

function kindOf(what: Assignment["workload"]): NodeDetails["holds"][number]["kind"] {
  if (what.kind !== "shell") return what.kind;
  return what.purpose === "run" ? "shell" : "shell_erasure";
}

function holdingRecord(view: Named, of: Assignment): NodeDetails["holds"][number] {
  const { workload: what } = of;
  const workload = view.workloads.get(of.id)?.value;
  const isDeployment = what.kind === "deployment";
  return {
    assignment_id: of.id,
    kind: kindOf(what),
    team_id: of.teamId,
    team_name: view.teams.get(of.teamId)?.value.name ?? "",
    service_id: isDeployment ? what.serviceId : null,
    service_name: isDeployment ? nameIn(view.services, what.serviceId) : null,
    deployment_id: isDeployment ? what.deploymentId : null,
    deployment_tag: isDeployment ? view.deployments.get(what.deploymentId)?.value.tag || null : null,
    shell_id: what.kind === "shell" ? what.shellId : null,
    shell_name: what.kind === "shell" ? nameIn(view.shells, what.shellId) : null,
    build_id: what.kind === "build" ? what.buildId : null,
    phase: workload?.phase ?? null,
    failure: workload?.failure?.message ?? null,
    slots: of.slots,
    gpu_uuids: [...of.gpuUuids],
    created: timestamp(of.createdAt),
  };
}

function attemptRecord(view: Named, { id, serviceId, teamId, phase }: Task): NodeDetails["attempts"] {
  if (phase.kind !== "running") return [];
  const { attempt, assignmentId, since } = phase;
  return [
    {
      task_id: id,
      service_id: serviceId,
      service_name: nameIn(view.services, serviceId),
      team_id: teamId,
      attempt,
      assignment_id: assignmentId,
      started: timestamp(since),
    },
  ];
}
