/** What many tasks used, added up by service. */
import { bucketOf, type Histogram } from "./duration-histogram.ts";
import type { TerminalPhase } from "./task.ts";
import type { TaskUsage } from "./task-usage.ts";

export type EndedPhase = TerminalPhase["kind"];
/** The two times of a task that percentiles are computed of. */
export type TimeKind = "queue" | "run";

export interface ServiceUsage {
  readonly tasks: ReadonlyMap<EndedPhase, number>;
  readonly gpuMs: number;
  readonly slotMs: number;
  readonly queue: Histogram;
  readonly run: Histogram;
}

interface Sum {
  readonly tasks: Map<EndedPhase, number>;
  gpuMs: number;
  slotMs: number;
  readonly queue: Map<number, number>;
  readonly run: Map<number, number>;
}

export class UsageSums {
  readonly #services = new Map<string, Sum>();

  get services(): ReadonlyMap<string, ServiceUsage> {
    return this.#services;
  }

  addTask(serviceId: string, usage: TaskUsage): void {
    this.addTasks(serviceId, usage.phase, { tasks: 1, gpuMs: usage.gpuMs, slotMs: usage.slotMs });
    if (usage.queueMs !== null) this.addTimes(serviceId, "queue", bucketOf(usage.queueMs), 1);
    if (usage.runMs !== null) this.addTimes(serviceId, "run", bucketOf(usage.runMs), 1);
  }

  addTasks(
    serviceId: string,
    phase: EndedPhase,
    { tasks, gpuMs, slotMs }: { readonly tasks: number; readonly gpuMs: number; readonly slotMs: number },
  ): void {
    const sum = this.#of(serviceId);
    add(sum.tasks, phase, tasks);
    sum.gpuMs += gpuMs;
    sum.slotMs += slotMs;
  }

  addTimes(serviceId: string, kind: TimeKind, bucket: number, tasks: number): void {
    add(this.#of(serviceId)[kind], bucket, tasks);
  }

  /** Over all services. */
  total(): ServiceUsage {
    const total = emptySum();
    for (const { tasks, gpuMs, slotMs, queue, run } of this.#services.values()) {
      for (const [phase, count] of tasks) add(total.tasks, phase, count);
      total.gpuMs += gpuMs;
      total.slotMs += slotMs;
      for (const [bucket, count] of queue) add(total.queue, bucket, count);
      for (const [bucket, count] of run) add(total.run, bucket, count);
    }
    return total;
  }

  #of(serviceId: string): Sum {
    const known = this.#services.get(serviceId);
    if (known !== undefined) return known;
    const sum = emptySum();
    this.#services.set(serviceId, sum);
    return sum;
  }
}

function emptySum(): Sum {
  return { tasks: new Map(), gpuMs: 0, slotMs: 0, queue: new Map(), run: new Map() };
}

function add<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
