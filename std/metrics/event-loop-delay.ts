/** How late the event loop of this process is, which heartbeats, requests and turns share. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

/** Of the timer whose lateness is measured: Node includes its interval in what it reports. */
const RESOLUTION_MS = 20;

/** Since the collection before: each starts a new measurement, whoever scrapes. */
export function addEventLoopDelay(registry: Registry): void {
  const measured = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  measured.enable();
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);
  new Gauge({
    name: "elastic_event_loop_delay_seconds",
    help: "How late timers of the event loop ran since the last scrape: the median, the 99th percentile, and the longest (quantile 1).",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      // Before the first tick of the timer there is nothing to report.
      const isEmpty = measured.count === 0;
      const of = (percentile: number) => (isEmpty ? 0 : seconds(measured.percentile(percentile)));
      this.set({ quantile: "0.5" }, of(50));
      this.set({ quantile: "0.99" }, of(99));
      this.set({ quantile: "1" }, isEmpty ? 0 : seconds(measured.max));
      measured.reset();
    },
  });
}
