/** What the logs of provers count. */
import { Counter, Gauge, type Registry } from "prom-client";

export interface LogMetrics {
  /** Bytes taken from agents. */
  appended(bytes: number): void;
  /** A piece was refused: it is not its node's to send, came too late, or is beyond the limit. */
  refused(): void;
  /** Requests that follow a log. */
  followers(count: number): void;
  /** What all logs take, when it was last looked at. */
  stored(bytes: number): void;
}

export function createLogMetrics(registry: Registry): LogMetrics {
  const registers = [registry];
  const appended = new Counter({
    name: "elastic_task_log_appended_bytes_total",
    help: "Bytes of logs taken from agents.",
    registers,
  });
  const refused = new Counter({
    name: "elastic_task_log_refused_total",
    help: "Pieces of logs that were refused: not their node's, too late, or beyond the limit.",
    registers,
  });
  const followers = new Gauge({
    name: "elastic_task_log_followers",
    help: "Requests that follow a task's log.",
    registers,
  });
  const stored = new Gauge({
    name: "elastic_task_log_stored_bytes",
    help: "What all logs take, measured once an hour by the coordinator that leads.",
    registers,
  });
  return {
    appended: (bytes) => appended.inc(bytes),
    refused: () => refused.inc(),
    followers: (count) => followers.set(count),
    stored: (bytes) => stored.set(bytes),
  };
}
