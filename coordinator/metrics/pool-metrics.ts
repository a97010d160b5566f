/** What the fleet lacks, and the machines that pools have. A coordinator that does not lead reports 0. */
import { Counter, Gauge, type Registry } from "prom-client";
import { DEMAND_REASONS, type Demand } from "../domain/demand.ts";
import type { PoolMachine, PoolMachineState } from "../domain/pool-machine.ts";

export interface PoolMetrics {
  demand(demand: readonly Demand[], now: number): void;
  /** `stopped`: pools that grow no further until an operator resumes them; `perHour`: what all machines cost. */
  machines(machines: readonly PoolMachine[], sums: { readonly stopped: number; readonly perHour: number }): void;
  driverCalled(call: "grow" | "shrink", outcome: "succeeded" | "failed"): void;
}

/** Without those that are gone. */
const STATES: readonly PoolMachineState[] = ["requested", "booting", "joined", "draining", "releasing"];

export function createPoolMetrics(registry: Registry): PoolMetrics {
  const registers = [registry];
  const labelNames = ["reason"];
  const workloads = new Gauge({
    name: "elastic_demand_workloads",
    help: "Workloads that are wanted and for which no machine has room, by why.",
    labelNames,
    registers,
  });
  const oldest = new Gauge({
    name: "elastic_demand_oldest_seconds",
    help: "How long the task or shell has waited that waits longest for a machine with room, by why there is none.",
    labelNames,
    registers,
  });
  const machines = new Gauge({
    name: "elastic_pool_machines",
    help: "Machines of pools, by state.",
    labelNames: ["state"],
    registers,
  });
  const stopped = new Gauge({
    name: "elastic_pools_stopped",
    help: "Pools that do not grow until an operator resumes them, since their machines did not come up.",
    registers,
  });
  const perHour = new Gauge({
    name: "elastic_pool_cost_per_hour",
    help: "What the machines of all pools cost an hour, in the operator's currency.",
    registers,
  });
  const calls = new Counter({
    name: "elastic_pool_driver_calls_total",
    help: "Calls of the drivers of pools, by what for and outcome.",
    labelNames: ["call", "outcome"],
    registers,
  });
  return {
    machines: (all, sums) => {
      for (const state of STATES) machines.set({ state }, all.filter((machine) => machine.state === state).length);
      stopped.set(sums.stopped);
      perHour.set(sums.perHour);
    },
    driverCalled: (call, outcome) => calls.inc({ call, outcome }),
    demand: (demand, now) => {
      for (const reason of DEMAND_REASONS) {
        const these = demand.filter((one) => one.reason === reason);
        const waited = these.map(({ oldestSince }) => (oldestSince === null ? 0 : Math.max(0, now - oldestSince)));
        workloads.set(
          { reason },
          these.reduce((total, one) => total + one.workloads, 0),
        );
        oldest.set({ reason }, Math.max(0, ...waited) / 1000);
      }
    },
  };
}
