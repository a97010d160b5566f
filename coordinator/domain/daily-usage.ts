/** What many tasks used, added up by day and service. Days are those of UTC. */
import type { Instant } from "@elastic/std/clock.ts";
import type { TaskUsage } from "./task-usage.ts";
import type { EndedPhase } from "./usage-sums.ts";

const DAY_MS = 86_400_000;

export interface DayUsage {
  /** Since 1970. */
  readonly day: number;
  readonly serviceId: string;
  readonly tasks: ReadonlyMap<EndedPhase, number>;
  readonly gpuMs: number;
  readonly slotMs: number;
}

interface Sum extends DayUsage {
  readonly tasks: Map<EndedPhase, number>;
  gpuMs: number;
  slotMs: number;
}

export class DailyUsage {
  readonly #sums = new Map<string, Sum>();

  addTask(serviceId: string, { phase, finishedAt, gpuMs, slotMs }: TaskUsage): void {
    this.addTasks({ day: usageDayOf(finishedAt), serviceId, phase }, { tasks: 1, gpuMs, slotMs });
  }

  addTasks(
    { day, serviceId, phase }: { readonly day: number; readonly serviceId: string; readonly phase: EndedPhase },
    { tasks, gpuMs, slotMs }: { readonly tasks: number; readonly gpuMs: number; readonly slotMs: number },
  ): void {
    const name = `${day}/${serviceId}`;
    const sum = this.#sums.get(name) ?? { day, serviceId, tasks: new Map(), gpuMs: 0, slotMs: 0 };
    this.#sums.set(name, sum);
    sum.tasks.set(phase, (sum.tasks.get(phase) ?? 0) + tasks);
    sum.gpuMs += gpuMs;
    sum.slotMs += slotMs;
  }

  /** The newest day first; of a day in the order of the services' ids. */
  rows(): readonly DayUsage[] {
    return [...this.#sums.values()].sort((a, b) => b.day - a.day || (a.serviceId < b.serviceId ? -1 : 1));
  }
}

function usageDayOf(instant: Instant): number {
  return Math.floor(instant / DAY_MS);
}
