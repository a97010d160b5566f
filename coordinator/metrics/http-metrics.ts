/** What the public API counts. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export interface HttpMetrics {
  /** `route` is the route's pattern, never the path requested. */
  responded(route: string, method: string, status: number, elapsedMs: number): void;
  /** Requests that hang on `?wait=`. */
  waiting(count: number): void;
  /** Event streams that are open. */
  streaming(count: number): void;
  /** Terminals that are open in browsers. */
  terminals(count: number): void;
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "elastic_http_requests_total",
    help: "Requests to the public API that ended.",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "elastic_http_request_seconds",
    help: "Time from the head of a request to the end of its response, long polls included.",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30, 300],
    registers,
  });
  const waits = new Gauge({ name: "elastic_http_waits", help: "Requests that wait for a task to end.", registers });
  const streams = new Gauge({ name: "elastic_http_event_streams", help: "Event streams that are open.", registers });
  const terminals = new Gauge({ name: "elastic_http_terminals", help: "Terminals open in browsers.", registers });
  return {
    responded: (route, method, status, elapsedMs) => {
      requests.inc({ route, method, status });
      seconds.observe({ route }, elapsedMs / 1000);
    },
    waiting: (count) => waits.set(count),
    streaming: (count) => streams.set(count),
    terminals: (count) => terminals.set(count),
  };
}
