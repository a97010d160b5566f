/** What the leader's loop reports; a coordinator that does not lead reports its last values as 0. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { NodeState } from "../domain/node.ts";

export interface SchedulerMetrics {
  leading(leads: boolean): void;
  /** Tasks that wait for a slot. */
  queueDepth(tasks: number): void;
  /** Nodes in each state; a state that is left out is 0. */
  nodes(counts: Readonly<Partial<Record<NodeState, number>>>): void;
  /** Too many nodes were lost at once: nothing is requeued until they return. */
  breaker(isOpen: boolean): void;
  /** An operator released the circuit breaker for a while. */
  breakerReleased(isReleased: boolean): void;
  turned(elapsedMs: number): void;
  /** A decision was overtaken by another writer. */
  conflicted(): void;
}

const NODE_STATES: readonly NodeState[] = ["joining", "ready", "draining", "lost", "gone"];

export function createSchedulerMetrics(registry: Registry): SchedulerMetrics {
  const registers = [registry];
  const leader = new Gauge({ name: "elastic_scheduler_leader", help: "1 while this coordinator leads.", registers });
  const depth = new Gauge({ name: "elastic_queue_tasks", help: "Tasks that wait for a slot.", registers });
  const nodes = new Gauge({ name: "elastic_nodes", help: "Nodes by state.", labelNames: ["state"], registers });
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
  return {
    leading: (leads) => leader.set(leads ? 1 : 0),
    queueDepth: (tasks) => depth.set(tasks),
    nodes: (counts) => {
      for (const state of NODE_STATES) nodes.set({ state }, counts[state] ?? 0);
    },
    breaker: (isOpen) => breaker.set(isOpen ? 1 : 0),
    breakerReleased: (isReleased) => released.set(isReleased ? 1 : 0),
    turned: (elapsedMs) => turn.observe(elapsedMs / 1000),
    conflicted: () => conflicts.inc(),
  };
}
