/** One week of one seed under one policy: what its machines cost, and how long tasks waited. */
import type { Pool } from "@elastic/coordinator/domain/pool.ts";
import { randomOf } from "@elastic/test/simulation/random.ts";
import { percentile } from "../measure/statistics.ts";
import { FleetWeek, STEP_MS } from "./fleet-week.ts";
import type { Policy } from "./policies.ts";
import { type Arrival, WEEK_MS } from "./traffic.ts";

const HOUR_MS = 3_600_000;
const BOOT_MS = { least: 180_000, most: 420_000 };
/** Of a machine, until it is taken away; and how long before that is known. */
const SPOT_LIFE_MS = 72 * HOUR_MS;
const SPOT_NOTICE_MS = 120_000;

export interface Week {
  readonly cost: number;
  readonly machineHours: number;
  readonly p50Seconds: number;
  readonly p95Seconds: number;
  readonly tasks: number;
  /** Runs that were cut off when a machine was taken away. */
  readonly interrupted: number;
  readonly machinesMax: number;
}

interface Machine {
  readonly begunAt: number;
  readonly joinsAt: number;
  readonly takenAt: number;
  state: "booting" | "joined" | "noticed";
}

export function runWeek(
  pool: Pool,
  {
    policy,
    traffic,
    seed,
    weekMs = WEEK_MS,
  }: {
    readonly policy: Policy;
    readonly traffic: readonly Arrival[];
    readonly seed: number;
    readonly weekMs?: number;
  },
): Week {
  const random = randomOf(seed, "machines");
  const fleet = new FleetWeek(pool);
  const machines = new Map<string, Machine>();
  let [machineMs, next, machinesMax] = [0, 0, 0];
  const end = (id: string): void => {
    const machine = machines.get(id);
    if (machine === undefined) return;
    machines.delete(id);
    machineMs += fleet.now - machine.begunAt;
    fleet.removeNode(id);
  };
  while (fleet.now < weekMs) {
    for (; (traffic[next]?.at ?? Number.POSITIVE_INFINITY) <= fleet.now + STEP_MS; next++) {
      const arrival = traffic[next];
      if (arrival !== undefined) fleet.arrive(arrival);
    }
    fleet.step();
    const { now } = fleet;
    for (const [id, machine] of [...machines]) {
      if (machine.state === "booting" && now >= machine.joinsAt) {
        machine.state = "joined";
        fleet.addNode(id);
        policy.joined(id, now);
      }
      if (machine.state === "joined" && now >= machine.takenAt - SPOT_NOTICE_MS) {
        machine.state = "noticed";
        fleet.drainNode(id);
        policy.noticed(id);
      }
      if (now < machine.takenAt) continue;
      end(id);
      policy.gone(id, now);
    }
    const seen = {
      now,
      openTasks: fleet.openTasks,
      demand: () => fleet.demand(),
      isEmpty: (id: string) => fleet.isEmpty(id),
    };
    const changes = policy.step(seen);
    for (const id of changes.begin) {
      const joinsAt = now + random.between(BOOT_MS.least, BOOT_MS.most);
      const takenAt = joinsAt - SPOT_LIFE_MS * Math.log(1 - random.next());
      machines.set(id, { begunAt: now, joinsAt, takenAt, state: "booting" });
    }
    for (const id of changes.drain) fleet.drainNode(id);
    for (const id of changes.end) end(id);
    machinesMax = Math.max(machinesMax, machines.size);
  }
  for (const id of [...machines.keys()]) end(id);
  fleet.finish();
  const delays = fleet.delaysMs.map((ms) => ms / 1000);
  const machineHours = machineMs / HOUR_MS;
  return {
    cost: machineHours * pool.costPerHour,
    machineHours,
    p50Seconds: percentile(delays, 0.5),
    p95Seconds: percentile(delays, 0.95),
    tasks: delays.length,
    interrupted: fleet.interrupted,
    machinesMax,
  };
}
