/** A fleet on a virtual clock, a second at a time: the scheduler's decisions taken at once, and what follows from them. */
import { newId } from "@elastic/std/ids.ts";
import type { DeploymentAssignment } from "../../domain/assignment.ts";
import type { Deployment, Scaling } from "../../domain/deployment.ts";
import { deploy, newService, rolledOut } from "../../domain/service.ts";
import { claim, succeed } from "../../domain/task.ts";
import { aDeployment, aNode, anAssignment, aTask, aWorkload, USER } from "../../domain/testing/records.ts";
import { decidePlacement, type PlacementStep } from "../decide/decide-placement.ts";
import { dispatch } from "../decide/dispatch.ts";
import type { AssignmentEntry, ServiceEntry } from "../decide/entries.ts";
import { takeTurns } from "../decide/take-turns.ts";
import { isServing } from "../decide/usable-workloads.ts";
import type { SchedulerView } from "../view/scheduler-view.ts";
import { versioned, viewOf } from "./view-of.ts";

export interface SimulatedService {
  readonly teamId: string;
  readonly runMs: number;
  readonly scaling: Partial<Scaling>;
  /** Tasks that come in that second, where so many wait. */
  readonly arrivals: (second: number, waiting: number) => number;
}

export interface Observed {
  /** Workloads that were started. */
  starts: number;
  /** Of all tasks that were started. */
  readonly waitsMs: number[];
  /** Workloads that are there, second by second. */
  readonly copies: number[];
  /** Seconds of tasks' runs. */
  ranMs: number;
}

interface Simulated extends SimulatedService {
  readonly deployment: Deployment;
  readonly entry: ServiceEntry;
  readonly observed: Observed;
}

export class Simulation {
  readonly view: SchedulerView;
  readonly #services: readonly Simulated[];
  readonly #startMs: number;
  readonly #due = new Map<number, (() => void)[]>();
  /** In this round: their room is free in the next. */
  readonly #removed: string[] = [];
  #nowMs = 0;

  constructor(given: {
    readonly slots: number;
    readonly startMs: number;
    readonly services: readonly SimulatedService[];
  }) {
    this.#startMs = given.startMs;
    const made = given.services.map((service, n) => {
      const { teamId, scaling } = service;
      const bare = newService({ id: newId(10 + n), teamId, name: "prover", creatorId: USER, createdAt: 0 });
      const deployment = aDeployment({ id: newId(1_000 + n), serviceId: bare.id, teamId, scaling });
      return { ...service, deployment, record: rolledOut(deploy(bare, deployment.id)) };
    });
    this.view = viewOf({
      nodes: [aNode("node", { slots: given.slots, memoryBytes: 2 ** 50 })],
      services: made.map(({ record }) => record),
      deployments: made.map(({ deployment }) => deployment),
    });
    this.#services = made.map(({ record, ...service }) => {
      const entry = this.view.services.get(record.id);
      if (entry === undefined) throw new Error("the service is not in the view");
      return { ...service, entry, observed: { starts: 0, waitsMs: [], copies: [], ranMs: 0 } };
    });
  }

  run(seconds: number): readonly Observed[] {
    for (let second = 0; second < seconds; second++, this.#nowMs += 1_000) {
      for (const event of this.#due.get(this.#nowMs) ?? []) event();
      this.#due.delete(this.#nowMs);
      for (const service of this.#services) this.#arrive(service, second);
      this.#place();
      for (const service of this.#services) this.#dispatch(service);
      for (const { entry, observed } of this.#services) observed.copies.push(entry.assignments.size);
    }
    return this.#services.map(({ observed }) => observed);
  }

  #arrive({ entry, arrivals, teamId }: Simulated, second: number): void {
    for (let n = arrivals(second, entry.queue.size); n > 0; n--) {
      const task = aTask(entry, { id: newId(this.#nowMs), createdAt: this.#nowMs, teamId });
      this.view.putTask(task.id, versioned(task), this.#nowMs, this.#nowMs);
    }
  }

  #place(): void {
    const { view } = this;
    const times = { now: this.#nowMs, nowMs: this.#nowMs };
    // Twice: what gave way makes room for others.
    for (let round = 0; round < 2; round++) {
      takeTurns([...view.services.values()], view.usage, this.#nowMs, {
        step: (service) => {
          const step = decidePlacement(view, service, times);
          if (step.kind === "no_op") view.services.setUnschedulable(service, step.unschedulable, this.#nowMs);
          else this.#take(service, step);
          return step.kind !== "no_op";
        },
        postpone: () => undefined,
      });
      for (const id of this.#removed.splice(0)) view.putAssignment(id, undefined, this.#nowMs);
    }
  }

  #take(service: ServiceEntry, step: Exclude<PlacementStep, { kind: "no_op" }>): void {
    if (step.kind === "assign") this.#assign(service, step.deployment);
    else if (step.kind === "retire") {
      step.assignment.retiring = true;
      if (step.assignment.service !== service) this.view.services.preempt(step.assignment, service);
    } else {
      step.assignment.removing = true;
      this.#removed.push(step.assignment.id);
    }
  }

  #assign(service: ServiceEntry, deployment: Deployment): void {
    const { id: serviceId, teamId } = deployment;
    const id = newId(this.#nowMs);
    const assignment: DeploymentAssignment = {
      ...anAssignment({ id: serviceId, serviceId: service.id }, "node"),
      id,
      teamId,
    };
    this.view.putAssignment(id, versioned(assignment), this.#nowMs);
    const simulated = this.#services.find(({ entry }) => entry === service);
    if (simulated !== undefined) simulated.observed.starts++;
    this.#in(this.#startMs, () => this.view.putWorkload(id, versioned(aWorkload(assignment)), this.#nowMs));
  }

  #dispatch({ entry, observed, runMs }: Simulated): void {
    const serving = [...entry.assignments]
      .filter(isServing)
      .map((on) => ({ on, nodeId: "node", running: on.running.size, concurrency: 1, idleSinceMs: on.idleSinceMs }));
    for (const { task, on } of dispatch(entry.queue, serving)) {
      observed.waitsMs.push(this.#nowMs - task.read.value.createdAt);
      observed.ranMs += runMs;
      this.#start(task.read.value, on.on, runMs);
    }
  }

  #start(task: Parameters<typeof claim>[0], { id: assignmentId }: AssignmentEntry, runMs: number): void {
    const running = claim(task, { nodeId: "node", sessionId: "s", assignmentId }, this.#nowMs);
    this.view.putTask(task.id, versioned(running), this.#nowMs, this.#nowMs);
    this.#in(runMs, () => {
      const result = { bytes: 2, sha256: "0".repeat(64), where: "store" } as const;
      this.view.putTask(task.id, versioned(succeed(running, result, runMs, this.#nowMs)), this.#nowMs, this.#nowMs);
    });
  }

  #in(ms: number, event: () => void): void {
    const atMs = this.#nowMs + Math.max(1_000, Math.ceil(ms / 1_000) * 1_000);
    this.#due.set(atMs, [...(this.#due.get(atMs) ?? []), event]);
  }
}
