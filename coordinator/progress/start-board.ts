/**
 * How much of a workload's image or volume its node has by now, as its agent told this coordinator last. In memory
 * alone: every agent tells every coordinator, and what a start comes to stands in records.
 */
import type { Assignment, WorkloadStep } from "../domain/assignment.ts";
import type { RecordView } from "../store/store.ts";

export interface StartProgress {
  readonly step: WorkloadStep;
  readonly doneBytes: number;
  /** As far as it is known; it may grow. */
  readonly totalBytes: number;
}

type Listener = (progress: StartProgress) => void;

/** More than start at once on any fleet this was made for; beyond it the one told longest ago goes. */
const STARTS_MAX = 10_000;

export class StartBoard {
  readonly #entries = new Map<string, StartProgress>();
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Forgets assignments as they end. Answers how to stop. */
  follow(assignments: Pick<RecordView<Assignment>, "subscribe">): () => void {
    return assignments.subscribe(({ id, after }) => {
      if (after === undefined) this.#entries.delete(id);
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  set({ id, workload }: Pick<Assignment, "id" | "workload">, progress: StartProgress): void {
    this.#entries.delete(id);
    this.#entries.set(id, progress);
    const listeners = workload.kind === "deployment" ? this.#listeners.get(workload.deploymentId) : undefined;
    for (const listener of listeners ?? []) listener(progress);
    if (this.#entries.size <= STARTS_MAX) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Null when nothing was told of it. */
  get(assignmentId: string): StartProgress | null {
    return this.#entries.get(assignmentId) ?? null;
  }

  /** Calls back with what is told of any workload of the deployment, from now on. */
  subscribe(deploymentId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(deploymentId) ?? new Set();
    this.#listeners.set(deploymentId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(deploymentId) === listeners) this.#listeners.delete(deploymentId);
    };
  }
}
