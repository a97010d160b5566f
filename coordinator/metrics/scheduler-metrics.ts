/** What the leader's loop reports; a coordinator that does not lead reports all of it as 0. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { NodeState } from "../domain/node.ts";

export interface SchedulerMetrics {
  /** Where it does not, the other gauges become 0. */
  leading(leads: boolean): void;
  /** Tasks that wait for a slot. */
  queueDepth(tasks: number): void;
  /** Nodes in each state; a state that is left out is 0. */
  nodes(counts: Readonly<Partial<Record<NodeState, number>>>): void;
  /** Nodes that take no work since their agents sent what no agent sends. */
  quarantined(nodes: number): void;
  /** Too many nodes were lost at once: nothing is requeued until they return. */
  breaker(isOpen: boolean): void;
  /** An operator released the circuit breaker for a while. */
  breakerReleased(isReleased: boolean): void;
  turned(elapsedMs: number): void;
  /** A decision was overtaken by another writer. */
  conflicted(): void;
  /** An error kept the leader from deciding for one of these; a `turn` for all of them. */
  failed(of: "service" | "shell" | "build" | "turn"): void;
}

const NODE_STATES: readonly NodeState[] = ["joining", "ready", "draining", "lost", "gone"];

export function createSchedulerMetrics(registry: Registry): SchedulerMetrics {
  const registers = [registry];
  const leader = new Gauge({ name: "elastic_scheduler_leader", help: "1 while this coordinator leads.", registers });
  const depth = new Gauge({ name: "elastic_queue_tasks", help: "Tasks that wait for a slot.", registers });
  const nodes = new Gauge({ name: "elastic_nodes", help: "Nodes by state.", labelNames: ["state"], registers });
  const quarantined = new Gauge({
    name: "elastic_nodes_quarantined",
    help: "Nodes that take no work since their agents repeatedly sent what no agent sends.",
    registers,
  });
  const breaker = new Gauge({
    name: "elastic_scheduler_brake",
    help: "1 while requeueing is stopped because too many nodes were lost at once.",
    registers,
  });
  const released = new Gauge({
    name: "elastic_scheduler_brake_released",
    help: "1 while an operator allows requeueing however many nodes are lost.",
    registers,
  });
  const turn = new Histogram({
    name: "elastic_scheduler_turn_seconds",
    help: "Time of one turn of the scheduler's loop.",
    buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
    registers,
  });
  const conflicts = new Counter({
    name: "elastic_scheduler_conflicts_total",
    help: "Decisions overtaken by another writer.",
    registers,
  });
  const failures = new Counter({
    name: "elastic_scheduler_failures_total",
    help: "Errors that kept the leader from deciding for one service, shell or build, or for all of them (turn).",
    labelNames: ["of"],
    registers,
  });
  const setNodes: SchedulerMetrics["nodes"] = (counts) => {
    for (const state of NODE_STATES) nodes.set({ state }, counts[state] ?? 0);
  };
  return {
    leading: (leads) => {
      leader.set(leads ? 1 : 0);
      if (leads) return;
      // What it last knew is no longer so: an alert on it would fire for ever.
      setNodes({});
      for (const gauge of [depth, quarantined, breaker, released]) gauge.set(0);
    },
    queueDepth: (tasks) => depth.set(tasks),
    nodes: setNodes,
    quarantined: (count) => quarantined.set(count),
    breaker: (isOpen) => breaker.set(isOpen ? 1 : 0),
    breakerReleased: (isReleased) => released.set(isReleased ? 1 : 0),
    turned: (elapsedMs) => turn.observe(elapsedMs / 1000),
    conflicted: () => conflicts.inc(),
    failed: (of) => failures.inc({ of }),
  };
}
