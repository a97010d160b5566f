/**
 * Which workloads are wanted and cannot be placed now, by what they require of a machine. Pure: of records alone, so
 * that every coordinator finds the same, and a simulation as well.
 *
 * A deployment for whose next workload a node has room has no demand: the scheduler places it within its turn. Of builds
 * there is none, since they hold no slots.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Assignment, Workload } from "../domain/assignment.ts";
import { holdsRoom, isOfBuild, isOfDeployment, isOfShell } from "../domain/assignment.ts";
import type { Demand } from "../domain/demand.ts";
import { type Deployment, imagesOf, memoryOf } from "../domain/deployment.ts";
import type { Node } from "../domain/node.ts";
import type { Service } from "../domain/service.ts";
import type { Shell } from "../domain/shell.ts";
import { type Fitted, needs, whyNowhere } from "../domain/suitable-node.ts";
import { wantedWorkloads } from "../scheduler/decide/wanted-workloads.ts";
import { hasRoomFor, type NodeRooms, roomsOf } from "./node-rooms.ts";
import type { TaskQueue } from "./task-queues.ts";

export interface DemandRecords {
  readonly services: readonly Service[];
  readonly shells: readonly Shell[];
  readonly nodes: readonly Node[];
  readonly assignments: readonly Assignment[];
  readonly deploymentOf: (id: string) => Deployment | undefined;
  readonly workloadOf: (assignmentId: string) => Workload | undefined;
  /** By service. */
  readonly queues: ReadonlyMap<string, TaskQueue>;
  /** Of a service's runs; null where none has ended yet. */
  readonly meanRunMsOf: (serviceId: string) => number | null;
}

interface Lack {
  readonly fitted: Fitted;
  readonly shells: boolean;
  readonly workloads: number;
  readonly tasks: number;
  readonly oldestSince: Instant | null;
}

/** The one that waits longest first. */
export function findDemand(records: DemandRecords, now: Instant): readonly Demand[] {
  const rooms = roomsOf(records);
  const lacks = [...lacksOfServices(records, rooms, now), ...lacksOfShells(records, rooms)];
  const groups = new Map<string, Demand>();
  for (const lack of lacks) {
    const key = keyOf(lack);
    const before = groups.get(key);
    groups.set(key, before === undefined ? explained(lack, records.nodes) : together(before, lack));
  }
  return [...groups.values()].sort((a, b) => since(a) - since(b) || b.workloads - a.workloads);
}

function lacksOfServices(records: DemandRecords, rooms: NodeRooms, now: Instant): readonly Lack[] {
  const alive = aliveByDeployment(records);
  return records.services.flatMap((service) => {
    if (service.state.kind === "deleted") return [];
    const next = records.deploymentOf(service.nextDeploymentId ?? "");
    const current = records.deploymentOf(service.currentDeploymentId ?? "");
    const queue = records.queues.get(service.id);
    const wishes = [
      ...(next === undefined ? [] : [{ deployment: next, wanted: Math.max(1, next.scaling.min), queue: undefined }]),
      ...(current === undefined ? [] : [{ deployment: current, wanted: wantedOf(current, queue, now), queue }]),
    ];
    return wishes.flatMap((wish): Lack[] => {
      const { deployment } = wish;
      const workloads = wish.wanted - (alive.get(deployment.id)?.up ?? 0);
      if (workloads <= 0 || hasRoomFor(deployment, rooms, () => true)) return [];
      const { queued = 0, waitsSince = null } = wish.queue ?? {};
      return [{ fitted: deployment, shells: false, workloads, tasks: queued, oldestSince: waitsSince }];
    });
  });

  function wantedOf(deployment: Deployment, queue: TaskQueue | undefined, at: Instant): number {
    const { scaling, serviceId, id } = deployment;
    if (scaling.min === scaling.max) return scaling.min;
    const waitsSince = queue?.waitsSince ?? null;
    const load = {
      open: (queue?.queued ?? 0) + (queue?.running ?? 0),
      serving: waitsSince === null ? 0 : (alive.get(id)?.serving ?? 0),
      meanRunMs: records.meanRunMsOf(serviceId),
      waitedMs: waitsSince === null ? 0 : Math.max(0, at - waitsSince),
    };
    return wantedWorkloads(load, deployment);
  }
}

/** Shells that have no home yet: one that has waits for its machine, and no other one helps it. */
function lacksOfShells({ shells, assignments }: DemandRecords, rooms: NodeRooms): readonly Lack[] {
  const placed = new Set(assignments.filter(isOfShell).map(({ workload }) => workload.shellId));
  return shells.flatMap((shell): Lack[] => {
    if (shell.state.kind !== "creating" || shell.nodeId !== null || placed.has(shell.id)) return [];
    const fitted = { image: shell.image, verifierImage: null, resources: shell.resources };
    if (hasRoomFor(fitted, rooms, ({ inventory }) => inventory.shells)) return [];
    return [{ fitted, shells: true, workloads: 1, tasks: 0, oldestSince: shell.runSince }];
  });
}

interface Alive {
  /** On a node that works, or on their way there. */
  readonly up: number;
  readonly serving: number;
}

function aliveByDeployment({ nodes, assignments, workloadOf }: DemandRecords): ReadonlyMap<string, Alive> {
  const ready = new Set(nodes.filter(({ state }) => state === "ready").map(({ id }) => id));
  const counts = new Map<string, Alive>();
  for (const assignment of assignments) {
    if (isOfBuild(assignment) || !isOfDeployment(assignment) || !ready.has(assignment.nodeId)) continue;
    const workload = workloadOf(assignment.id);
    if (!holdsRoom(workload)) continue;
    const { deploymentId } = assignment.workload;
    const { up, serving } = counts.get(deploymentId) ?? { up: 0, serving: 0 };
    counts.set(deploymentId, { up: up + 1, serving: serving + (workload?.phase === "ready" ? 1 : 0) });
  }
  return counts;
}

function explained(lack: Lack, nodes: readonly Node[]): Demand {
  const among = lack.shells ? nodes.filter(({ inventory }) => inventory.shells) : nodes;
  const nowhere = whyNowhere(lack.fitted, among);
  return nowhere === null
    ? { ...lack, reason: "no_room", message: `no machine has room yet for ${needs(lack.fitted)}` }
    : { ...lack, ...nowhere };
}

function together(before: Demand, { workloads, tasks, oldestSince }: Lack): Demand {
  const sinces = [before.oldestSince, oldestSince].filter((one) => one !== null);
  return {
    ...before,
    workloads: before.workloads + workloads,
    tasks: before.tasks + tasks,
    oldestSince: sinces.length === 0 ? null : Math.min(...sinces),
  };
}

function since({ oldestSince }: Demand): number {
  return oldestSince ?? Number.MAX_SAFE_INTEGER;
}

/** What decides where it fits. Images of containers are all alike. */
function keyOf({ fitted, shells }: Lack): string {
  const { gpuCount, gpuModel, gpuMemoryBytes, gpuMigProfile = null, nodeLabels = {}, cpuMillis } = fitted.resources;
  const programs = [...new Set(imagesOf(fitted).map((image) => (image.startsWith("builtin:") ? image : "container")))];
  const labels = Object.entries(nodeLabels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const memory = memoryOf(fitted);
  return JSON.stringify([
    shells,
    gpuCount,
    gpuModel,
    gpuMemoryBytes,
    gpuMigProfile,
    labels,
    cpuMillis,
    memory,
    programs.toSorted(),
  ]);
}
