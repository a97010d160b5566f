/** What is compared, each with the same machines and the same traffic. */
import type { Pool } from "@elastic/coordinator/domain/pool.ts";
import { aPool } from "@elastic/coordinator/domain/testing/records.ts";
import { FixedPolicy, type Policy, PoolPolicy, QueueLengthPolicy } from "./policies.ts";
import { runWeek, type Week } from "./run-week.ts";
import { drawTraffic } from "./traffic.ts";

const MACHINES_MAX = 24;
const FIXED_SIZE = 6;

const POOL: Pool = aPool({
  max: MACHINES_MAX,
  costPerHour: 4,
  bootMs: 900_000,
  cooldownMs: 300_000,
  offer: { gpuCount: 2, slots: 2, cpuCores: 32, memoryBytes: 2 ** 36 },
});

export interface Contender {
  readonly name: string;
  readonly isOurs: boolean;
  readonly policy: () => Policy;
}

export const CONTENDERS: readonly Contender[] = [
  { name: "pool", isOurs: true, policy: () => new PoolPolicy(POOL) },
  { name: "pool, warm spare 1", isOurs: true, policy: () => new PoolPolicy({ ...POOL, warmSpare: 1 }) },
  { name: `fixed fleet of ${FIXED_SIZE}`, isOurs: false, policy: () => new FixedPolicy(FIXED_SIZE) },
  ...[1, 2].map((target) => ({
    name: `KEDA, target ${target}`,
    isOurs: false,
    policy: () => new QueueLengthPolicy({ max: MACHINES_MAX, target }),
  })),
];

export function weekOf({ policy }: Contender, seed: number, weekMs?: number): Week {
  const traffic = drawTraffic(seed);
  return runWeek(POOL, { policy: policy(), traffic, seed, ...(weekMs !== undefined && { weekMs }) });
}
