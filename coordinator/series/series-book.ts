/** The series of the services that were at work of late, of a bounded number of them. */
import type { Instant } from "@elastic/std/clock.ts";
import type { TaskUsage } from "../domain/task-usage.ts";
import type { Sample } from "./figures.ts";
import { ServiceSeries } from "./service-series.ts";

/** Some 10 MiB where they mostly rest, 170 MiB where tasks end in every minute of each. */
const SERVICES_MAX = 300;

export class SeriesBook {
  readonly #servicesMax: number;
  /** The longest without a task or a workload first. */
  readonly #series = new Map<string, ServiceSeries>();

  constructor(servicesMax: number = SERVICES_MAX) {
    this.#servicesMax = servicesMax;
  }

  get size(): number {
    return this.#series.size;
  }

  get(serviceId: string): ServiceSeries | undefined {
    return this.#series.get(serviceId);
  }

  addEnded(serviceId: string, usage: TaskUsage): void {
    this.#used(serviceId).addEnded(usage);
  }

  /** An empty sample does not extend how long a series is retained. */
  addSample(serviceId: string, sample: Sample, at: Instant): void {
    const isIdle = sample.queued === 0 && sample.running === 0 && sample.workloads === 0 && sample.memoryBytes === 0;
    const series = isIdle ? this.#series.get(serviceId) : this.#used(serviceId);
    series?.addSample(sample, at);
  }

  #used(serviceId: string): ServiceSeries {
    const series = this.#series.get(serviceId) ?? new ServiceSeries();
    this.#series.delete(serviceId);
    this.#series.set(serviceId, series);
    if (this.#series.size > this.#servicesMax) {
      for (const unused of this.#series.keys()) {
        this.#series.delete(unused);
        break;
      }
    }
    return series;
  }
}
