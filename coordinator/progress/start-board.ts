/**
 * How much of a workload's image or volume its node has by now, by its agent's latest report. In memory
 * alone: every agent reports to every coordinator, and the outcome of a start is in records.
 */
import type { Assignment, WorkloadStep } from "../domain/assignment.ts";
import type { RecordView } from "../store/store.ts";

export interface StartProgress {
  readonly step: WorkloadStep;
  readonly doneBytes: number;
  /** As far as it is known; it may grow. */
  readonly totalBytes: number;
  /** What keeps a prover that runs from being healthy; empty for nothing that shows. */
  readonly warning: string;
  /** The end of what a prover that runs, and is not healthy yet, has written. */
  readonly logTail: string;
}

interface Entry {
  readonly deploymentId: string | null;
  readonly progress: StartProgress;
}

type Listener = (progress: StartProgress) => void;

/** More than start at once on any fleet this was made for; beyond it the one reported longest ago is dropped. */
const STARTS_MAX = 10_000;

export class StartBoard {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Forgets assignments as they end. Returns how to stop. */
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
    const deploymentId = workload.kind === "deployment" ? workload.deploymentId : null;
    this.#entries.set(id, { deploymentId, progress });
    for (const listener of this.#listeners.get(deploymentId ?? "") ?? []) listener(progress);
    if (this.#entries.size <= STARTS_MAX) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Null without a report of it. */
  get(assignmentId: string): StartProgress | null {
    return this.#entries.get(assignmentId)?.progress ?? null;
  }

  /** Of the copy with the latest report; null without any. */
  ofDeployment(deploymentId: string): StartProgress | null {
    return [...this.#entries.values()].findLast((entry) => entry.deploymentId === deploymentId)?.progress ?? null;
  }

  /** Calls back with each report of a workload of the deployment, from now on. */
  subscribe(deploymentId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(deploymentId) ?? new Set();
    this.#listeners.set(deploymentId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(deploymentId) === listeners) this.#listeners.delete(deploymentId);
    };
  }
}
