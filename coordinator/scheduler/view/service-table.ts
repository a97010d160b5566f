/** The part of the scheduler's view that is about services: each with what it has, and those to look at again. */
import type { Service } from "../../domain/service.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { AssignmentEntry, ServiceEntry } from "../decide/entries.ts";
import { isAlive } from "../decide/usable-workloads.ts";
import { meanRunAfter } from "../decide/wanted-workloads.ts";
import { serviceEntry } from "./new-entries.ts";

export class ServiceTable {
  readonly #entries = new Map<string, ServiceEntry>();
  /** Services for which the last placement found no room: looked at again when there is more. */
  readonly #unschedulable = new Set<ServiceEntry>();
  #dirty = new Set<ServiceEntry>();

  get(id: string): ServiceEntry | undefined {
    return this.#entries.get(id);
  }

  values(): IterableIterator<ServiceEntry> {
    return this.#entries.values();
  }

  /** The entry, which may come before the service's record. */
  ensure(id: string): ServiceEntry {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = serviceEntry(id);
      this.#entries.set(id, entry);
    }
    return entry;
  }

  put(id: string, read: Versioned<Service> | undefined, nowMs: number): void {
    const entry = this.ensure(id);
    if (read?.value.nextDeploymentId !== entry.read?.value.nextDeploymentId) entry.nextSinceMs = nowMs;
    entry.read = read ?? null;
    entry.pending = false;
    this.#dirty.add(entry);
  }

  /** The mean follows each run that succeeded. */
  noteRun({ serviceId, phase }: Pick<Task, "serviceId" | "phase">): void {
    const service = this.#entries.get(serviceId);
    if (service === undefined || phase.kind !== "succeeded") return;
    service.meanRunMs = meanRunAfter(service.meanRunMs, phase.finishedAt - phase.startedAt);
  }

  /** Services in which something changed since the last call. */
  takeDirty(): ReadonlySet<ServiceEntry> {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    return dirty;
  }

  touch(service: ServiceEntry): void {
    this.#dirty.add(service);
  }

  touchAll(): void {
    for (const service of this.#entries.values()) this.#dirty.add(service);
  }

  /** There may be more room. */
  touchUnschedulable(): void {
    for (const service of this.#unschedulable) this.#dirty.add(service);
  }

  isUnschedulable(service: ServiceEntry): boolean {
    return this.#unschedulable.has(service);
  }

  setUnschedulable(service: ServiceEntry, isUnschedulable: boolean, nowMs: number): void {
    if (isUnschedulable) {
      this.#unschedulable.add(service);
      // As long as it has something it only lacks more.
      if (service.unschedulableSinceMs === null || [...service.assignments].some(isAlive)) {
        service.unschedulableSinceMs = nowMs;
      }
    } else if (this.#unschedulable.delete(service)) {
      service.unschedulableSinceMs = null;
      for (const entry of service.pendingPreemptions) this.cancelPreemption(entry);
    }
  }

  /** The workload makes room for the service. */
  preempt(entry: AssignmentEntry, service: ServiceEntry): void {
    entry.yieldsTo = service;
    service.pendingPreemptions.add(entry);
  }

  /** The workload need not make room for another service any more. */
  cancelPreemption(entry: AssignmentEntry): void {
    if (entry.yieldsTo === null) return;
    entry.yieldsTo.pendingPreemptions.delete(entry);
    entry.yieldsTo = null;
    entry.retiring = false;
    this.#dirty.add(entry.service);
  }
}
