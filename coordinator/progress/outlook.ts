/** Why tasks and services wait, from the view alone: nothing is written for it, and it is true when it is read. */
import type { Assignment } from "../domain/assignment.ts";
import { isOfDeployment } from "../domain/assignment.ts";
import type { Deployment } from "../domain/deployment.ts";
import type { Service } from "../domain/service.ts";
import { whyItWaits } from "../domain/service-outlook.ts";
import { type Nowhere, whyNowhere } from "../domain/suitable-node.ts";
import type { Task } from "../domain/task.ts";
import type { Waiting } from "../domain/waiting.ts";
import type { RecordChange, View } from "../store/store.ts";

type Seen = Pick<View, "services" | "deployments" | "nodes" | "assignments" | "workloads">;

export interface OutlookDeps {
  readonly outlook: Pick<Outlook, "ofTask" | "ofService">;
}

export class Outlook {
  readonly #view: Seen;
  /** Ids of assignments by deployment. */
  readonly #copies = new Map<string, Set<string>>();
  /** By deployment; forgotten whenever a node is another. */
  readonly #nowhere = new Map<string, Nowhere | null>();
  readonly #stops: readonly (() => void)[];

  constructor(view: Seen) {
    this.#view = view;
    for (const after of view.assignments.values()) this.#note({ id: after.value.id, before: undefined, after });
    this.#stops = [
      view.assignments.subscribe((change) => this.#note(change)),
      view.nodes.subscribe(() => this.#nowhere.clear()),
      view.deployments.subscribe(({ id }) => this.#nowhere.delete(id)),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Null for a task that does not wait. */
  ofTask(task: Pick<Task, "serviceId" | "phase">): Waiting | null {
    if (task.phase.kind !== "queued") return null;
    const service = this.#view.services.get(task.serviceId)?.value;
    const deployment = this.#deployment(service?.currentDeploymentId);
    return deployment === undefined ? null : this.#of(deployment);
  }

  /** Why what is coming up, or shall be up, is not; null where it is, or nothing is wanted. */
  ofService({ nextDeploymentId, currentDeploymentId }: Service): Waiting | null {
    const next = this.#deployment(nextDeploymentId);
    const current = this.#deployment(currentDeploymentId);
    const deployment = next ?? current;
    if (deployment === undefined) return null;
    // One that may scale to zero does not wait, but reports that no machine could ever run it.
    if (next === undefined && deployment.scaling.min === 0) return this.#whyNowhere(deployment);
    const waiting = this.#of(deployment);
    return waiting.reason === "busy" ? null : waiting;
  }

  #of(deployment: Deployment): Waiting {
    return whyItWaits(deployment, {
      workloads: [...(this.#copies.get(deployment.id) ?? [])].map((copy) => this.#view.workloads.get(copy)?.value),
      isUp: (nodeId) => this.#view.nodes.get(nodeId)?.value.state === "ready",
      whyNowhere: () => this.#whyNowhere(deployment),
    });
  }

  #whyNowhere(deployment: Deployment): Nowhere | null {
    const known = this.#nowhere.get(deployment.id);
    if (known !== undefined) return known;
    const nowhere = whyNowhere(
      deployment,
      [...this.#view.nodes.values()].map(({ value }) => value),
    );
    this.#nowhere.set(deployment.id, nowhere);
    return nowhere;
  }

  #deployment(id: string | null | undefined): Deployment | undefined {
    return this.#view.deployments.get(id ?? "")?.value;
  }

  #note({ id, before, after }: Omit<RecordChange<Assignment>, "revision">): void {
    const assignment = (after ?? before)?.value;
    if (assignment === undefined || !isOfDeployment(assignment)) return;
    const { deploymentId } = assignment.workload;
    const copies = this.#copies.get(deploymentId) ?? new Set();
    if (after === undefined) copies.delete(id);
    else copies.add(id);
    if (copies.size === 0) this.#copies.delete(deploymentId);
    else this.#copies.set(deploymentId, copies);
  }
}
