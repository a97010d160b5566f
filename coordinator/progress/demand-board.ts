/** What the fleet lacks now, as this process's view has it; and how long the runs of each service take, as it saw them end. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Demand } from "../domain/demand.ts";
import type { Versioned } from "../domain/versioned.ts";
import { meanRunAfter } from "../scheduler/decide/wanted-workloads.ts";
import type { View } from "../store/store.ts";
import { findDemand } from "./find-demand.ts";
import { taskQueues } from "./task-queues.ts";

type Seen = Pick<View, "services" | "deployments" | "shells" | "nodes" | "assignments" | "workloads" | "tasks">;

export interface DemandDeps {
  readonly demand: Pick<DemandBoard, "now">;
}

export class DemandBoard {
  readonly #view: Seen;
  readonly #meanRunMs = new Map<string, number>();
  readonly #stops: readonly (() => void)[];

  constructor(view: Seen) {
    this.#view = view;
    this.#stops = [
      view.tasks.subscribe(({ before, after }) => {
        const phase = after?.value.phase;
        if (after === undefined || phase?.kind !== "succeeded" || before?.value.phase.kind === "succeeded") return;
        const { serviceId } = after.value;
        const meanMs = this.#meanRunMs.get(serviceId) ?? null;
        this.#meanRunMs.set(serviceId, meanRunAfter(meanMs, phase.finishedAt - phase.startedAt));
      }),
      view.services.subscribe(({ id, after }) => {
        if (after === undefined) this.#meanRunMs.delete(id);
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  now(now: Instant): readonly Demand[] {
    const { services, deployments, shells, nodes, assignments, workloads, tasks } = this.#view;
    return findDemand(
      {
        services: valuesOf(services),
        shells: valuesOf(shells),
        nodes: valuesOf(nodes),
        assignments: valuesOf(assignments),
        deploymentOf: (id) => deployments.get(id)?.value,
        workloadOf: (id) => workloads.get(id)?.value,
        queues: taskQueues(begunOf(tasks), tasks.firstWaits()),
        meanRunMsOf: (serviceId) => this.#meanRunMs.get(serviceId) ?? null,
      },
      now,
    );
  }
}

function valuesOf<T>(records: { values(): Iterable<Versioned<T>> }): readonly T[] {
  return [...records.values()].map(({ value }) => value);
}

function* begunOf(tasks: View["tasks"]) {
  for (const { value } of tasks.begun()) yield value;
}
