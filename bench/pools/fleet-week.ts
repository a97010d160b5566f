/**
 * A fleet under virtual time, in steps of five seconds: machines boot and are taken away, workloads start, tasks run. How many
 * workloads each service has, and where they go, are the scheduler's own decisions; which machines there are is a policy's.
 */
import type { DeploymentAssignment, Workload } from "@elastic/coordinator/domain/assignment.ts";
import type { Demand } from "@elastic/coordinator/domain/demand.ts";
import type { Deployment } from "@elastic/coordinator/domain/deployment.ts";
import type { Node } from "@elastic/coordinator/domain/node.ts";
import { offeredNode, type Pool } from "@elastic/coordinator/domain/pool.ts";
import type { Service } from "@elastic/coordinator/domain/service.ts";
import { aReadyService } from "@elastic/coordinator/domain/testing/records.ts";
import { findDemand } from "@elastic/coordinator/progress/find-demand.ts";
import { chooseNode } from "@elastic/coordinator/scheduler/decide/choose-node.ts";
import type { AssignmentEntry, NodeEntry, ServiceEntry } from "@elastic/coordinator/scheduler/decide/entries.ts";
import { meanRunAfter, wantedWorkloads } from "@elastic/coordinator/scheduler/decide/wanted-workloads.ts";
import { assignmentEntry, nodeEntry, serviceEntry } from "@elastic/coordinator/scheduler/view/new-entries.ts";
import { newId } from "@elastic/std/ids.ts";
import { type Arrival, KINDS } from "./traffic.ts";

export const STEP_MS = 5_000;
/** From an assignment until the workload is ready: the image comes from a registry nearby. */
const START_MS = 30_000;
const NO_FAILURES: ReadonlySet<string> = new Set();

interface RunningWorkload {
  readonly entry: AssignmentEntry;
  readonly node: NodeEntry;
  readonly service: number;
  readyAt: number;
  task: Arrival | null;
  endsAt: number;
  idleSince: number;
}

interface SimulatedService {
  readonly service: Service;
  readonly entry: ServiceEntry;
  readonly deployment: Deployment;
  queue: Arrival[];
  meanRunMs: number | null;
}

export class FleetWeek {
  now = 0;
  /** Of each task, from its creation until the run that completed began. */
  readonly delaysMs: number[] = [];
  interrupted = 0;
  readonly #pool: Pool;
  readonly #services: readonly SimulatedService[];
  readonly #nodes = new Map<string, NodeEntry>();
  readonly #deployments: ReadonlyMap<string, Deployment>;
  readonly #started = new Map<Arrival, number>();
  #workloads: RunningWorkload[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#services = KINDS.map(({ gpus }, at) => {
      const resources = { gpuCount: gpus, gpuModel: "H100" };
      const scaling = { min: 0, max: 100, idleTimeoutMs: 120_000, targetQueueMs: 30_000 };
      const made = aReadyService({ id: `d${at}`, resources, scaling });
      const service = { ...made.service, id: `s${at}` };
      const deployment = { ...made.deployment, serviceId: service.id };
      return { service, deployment, entry: serviceEntry(service.id), queue: [], meanRunMs: null };
    });
    this.#deployments = new Map(this.#services.map(({ deployment }) => [deployment.id, deployment]));
  }

  get openTasks(): number {
    return this.#services.reduce((sum, { queue }) => sum + queue.length, this.#running());
  }

  addNode(id: string): void {
    const entry = nodeEntry(id);
    entry.read = { revision: 0, value: { ...offeredNode(this.#pool), id, since: this.now } };
    entry.linked = true;
    this.#nodes.set(id, entry);
  }

  drainNode(id: string): void {
    this.#setState(id, "draining");
  }

  /** What ran there is queued again. */
  removeNode(id: string): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    this.#nodes.delete(id);
    for (const workload of this.#workloads.filter((one) => one.node === node)) {
      const { task, service } = workload;
      if (task === null) continue;
      this.interrupted += 1;
      this.#services[service]?.queue.unshift(task);
    }
    this.#workloads = this.#workloads.filter((one) => one.node !== node);
  }

  isEmpty(id: string): boolean {
    return (this.#nodes.get(id)?.assignments.size ?? 0) === 0;
  }

  arrive(arrival: Arrival): void {
    this.#services[arrival.service]?.queue.push(arrival);
  }

  step(): void {
    this.now += STEP_MS;
    this.#endRuns();
    for (const [at, service] of this.#services.entries()) {
      this.#dispatch(service, at);
      this.#place(service, at);
    }
  }

  demand(): readonly Demand[] {
    const workloads = new Map(this.#workloads.map(({ entry }) => [entry.id, entry.workload?.value]));
    return findDemand(
      {
        services: this.#services.map(({ service }) => service),
        shells: [],
        nodes: [...this.#nodes.values()].flatMap(({ read }) => (read === null ? [] : [read.value])),
        assignments: this.#workloads.map(({ entry }) => entry.value),
        deploymentOf: (id) => this.#deployments.get(id),
        workloadOf: (id) => workloads.get(id),
        queues: new Map(this.#services.map((one, at) => [one.service.id, this.#queueOf(one, at)])),
        meanRunMsOf: (id) => this.#services.find(({ service }) => service.id === id)?.meanRunMs ?? null,
      },
      this.now,
    );
  }

  /** Of tasks that have completed or run now. */
  finish(): void {
    for (const [task, at] of this.#started) this.delaysMs.push(at - task.at);
  }

  #queueOf({ queue }: SimulatedService, at: number) {
    const running = this.#workloads.filter((one) => one.service === at && one.task !== null).length;
    return { queued: queue.length, running, waitsSince: queue[0]?.at ?? null };
  }

  #endRuns(): void {
    for (const workload of this.#workloads) {
      const { entry, task, endsAt, readyAt, service } = workload;
      if (entry.workload?.value.phase === "starting" && readyAt <= this.now) {
        entry.workload = { revision: 0, value: { ...entry.workload.value, phase: "ready" } };
        workload.idleSince = this.now;
      }
      if (task === null || endsAt > this.now) continue;
      const of = this.#services[service];
      if (of !== undefined) of.meanRunMs = meanRunAfter(of.meanRunMs, task.runMs);
      this.delaysMs.push((this.#started.get(task) ?? 0) - task.at);
      this.#started.delete(task);
      workload.task = null;
      workload.idleSince = this.now;
    }
  }

  #dispatch({ queue }: SimulatedService, at: number): void {
    for (const workload of this.#workloads) {
      if (queue.length === 0) return;
      const isFree =
        workload.service === at && workload.task === null && workload.entry.workload?.value.phase === "ready";
      if (!isFree || workload.node.read?.value.state !== "ready") continue;
      const task = queue.shift();
      if (task === undefined) return;
      workload.task = task;
      workload.endsAt = this.now + task.runMs;
      this.#started.set(task, this.now);
    }
  }

  #place(service: SimulatedService, at: number): void {
    const { deployment, queue, meanRunMs } = service;
    const own = this.#workloads.filter((one) => one.service === at);
    const alive = own.filter(({ node }) => node.read?.value.state === "ready");
    const serving = alive.filter(({ entry }) => entry.workload?.value.phase === "ready").length;
    const open = queue.length + own.filter(({ task }) => task !== null).length;
    const waitedMs = queue[0] === undefined ? 0 : this.now - queue[0].at;
    const wanted = wantedWorkloads({ open, serving, meanRunMs, waitedMs }, deployment);
    for (let count = alive.length; count < wanted; count++) if (!this.#assign(service, at)) break;
    const { idleTimeoutMs } = deployment.scaling;
    const mayEnd = own.filter(({ node, task, idleSince, entry }) => {
      if (task !== null) return false;
      if (node.read?.value.state !== "ready") return true;
      return entry.workload?.value.phase === "ready" && this.now - idleSince >= idleTimeoutMs;
    });
    let surplus = alive.length - wanted;
    for (const workload of mayEnd) {
      const isOnReady = workload.node.read?.value.state === "ready";
      if (isOnReady && surplus-- <= 0) continue;
      workload.node.assignments.delete(workload.entry);
      service.entry.assignments.delete(workload.entry);
      this.#workloads = this.#workloads.filter((one) => one !== workload);
    }
  }

  #assign({ deployment, service, entry: ofService }: SimulatedService, at: number): boolean {
    const to = chooseNode(deployment, { nodes: this.#nodes, deployments: this.#deployments }, NO_FAILURES);
    const node = to === null ? undefined : this.#nodes.get(to.nodeId);
    if (to === null || node === undefined) return false;
    const assignment: DeploymentAssignment = {
      id: newId(this.now),
      nodeId: to.nodeId,
      teamId: deployment.teamId,
      slots: deployment.resources.gpuCount,
      gpuUuids: to.gpuUuids,
      createdAt: this.now,
      workload: { kind: "deployment", deploymentId: deployment.id, serviceId: service.id },
    };
    const entry = assignmentEntry(assignment, ofService, node, this.now);
    const value: Workload = {
      assignmentId: assignment.id,
      nodeId: to.nodeId,
      phase: "starting",
      step: null,
      bytes: 0,
      since: this.now,
      failure: null,
    };
    entry.workload = { revision: 0, value };
    node.assignments.add(entry);
    ofService.assignments.add(entry);
    const readyAt = this.now + START_MS;
    this.#workloads.push({ entry, node, service: at, readyAt, task: null, endsAt: 0, idleSince: this.now });
    return true;
  }

  #running(): number {
    return this.#workloads.filter(({ task }) => task !== null).length;
  }

  #setState(id: string, state: Node["state"]): void {
    const node = this.#nodes.get(id);
    if (node?.read != null) node.read = { revision: 0, value: { ...node.read.value, state } };
  }
}
