/** What is known of this machine's clock, read at each scrape. */
import { Gauge, type Registry } from "prom-client";

interface ObservedClock {
  readonly offsetMs: number;
  readonly standing: "alone" | "agrees" | "off" | "no_majority";
  readonly known: number;
}

export interface ClockMetrics {
  observe(clock: () => ObservedClock): void;
}

export function createClockMetrics(registry: Registry): ClockMetrics {
  const registers = [registry];
  return {
    observe: (clock) => {
      const gauges = [
        [
          "elastic_clock_offset_seconds",
          "By how much this machine's clock is ahead of the median of all known clocks.",
          ({ offsetMs }: ObservedClock) => offsetMs / 1000,
        ],
        [
          "elastic_clock_trusted",
          "0 while this machine's clock is two seconds or more off the median of a majority.",
          ({ standing }: ObservedClock) => (standing === "off" ? 0 : 1),
        ],
        [
          "elastic_clock_majority",
          "0 while no majority of the known clocks is within two seconds of each other.",
          ({ standing }: ObservedClock) => (standing === "no_majority" ? 0 : 1),
        ],
        [
          "elastic_clocks_known",
          "Clocks of coordinators and agents that are compared, this machine's included.",
          ({ known }: ObservedClock) => known,
        ],
      ] as const;
      for (const [name, help, read] of gauges) {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read(clock()));
          },
        });
      }
    },
  };
}
