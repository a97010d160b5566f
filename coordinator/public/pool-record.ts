/** The one place that knows the public JSON of pools, their machines and their join tokens. For operators. */
import { z } from "zod";
import type { Pool } from "../domain/pool.ts";
import type { PoolMachine, PoolMachineState } from "../domain/pool-machine.ts";
import type { PoolToken } from "../domain/pool-token.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";

const MACHINE_STATES = ["REQUESTED", "BOOTING", "JOINED", "DRAINING", "RELEASING", "RELEASED"] as const;
const STATES: Readonly<Record<PoolMachineState, (typeof MACHINE_STATES)[number]>> = {
  requested: "REQUESTED",
  booting: "BOOTING",
  joined: "JOINED",
  draining: "DRAINING",
  releasing: "RELEASING",
  released: "RELEASED",
};

/** The latest first. */
const RELEASED_SHOWN_MAX = 50;

export const poolSchema = z
  .object({
    pool: z.string().describe("Its name."),
    created: timestampSchema,
    min: z.int(),
    max: z.int(),
    warm_spare: z.int(),
    cooldown_seconds: z.number(),
    boot_seconds: z.number(),
    cost_per_hour: z.number(),
    budget_per_hour: z.number().nullable(),
    budget_per_day: z.number().nullable(),
    offer: z.object({
      gpu_type: z.string().nullable(),
      gpu_count: z.int(),
      gpu_memory_bytes: z.int(),
      slots: z.int(),
      cpu_cores: z.int(),
      memory_bytes: z.int(),
      node_labels: z.record(z.string(), z.string()),
      containers: z.boolean(),
      builtin_provers: z.array(z.string()),
      shells: z.boolean(),
    }),
    driver: z.object({
      kind: z.enum(["webhook", "command"]),
      url: z.string().nullable(),
      name: z.string().nullable(),
    }),
    stopped: timestampSchema.nullable().describe("Since when it grows no further, until an operator resumes it."),
    stopped_reason: z.string().nullable(),
    machines: z.int().describe("That exist, as far as the driver has responded."),
    coming: z.int().describe("Of those, requested and not joined yet."),
    wanted: z.int().describe("That it is to have, by what waits now and within its bounds."),
    spent_per_hour: z.number().describe("With the machines that exist."),
    spent_in_day: z.number().describe("In the last 24 hours."),
    why: z.string().describe("Why it grows, or does not, by what waits now."),
  })
  .meta({ id: "Pool" });

export const poolDetailsSchema = poolSchema
  .extend({
    items: z
      .array(
        z.object({
          request_id: idSchema.describe("Its driver is called with this id."),
          state: z.enum(MACHINE_STATES),
          since: timestampSchema,
          machine: z.string().nullable().describe("As its driver names it."),
          node_id: z.string().nullable(),
          requested: timestampSchema,
          joined: timestampSchema.nullable(),
          released: timestampSchema.nullable(),
          requested_by_pool: z.boolean().describe("false: it joined without a request."),
          failure: z
            .string()
            .nullable()
            .describe("Why it never came up, or was removed otherwise than for want of work."),
          driver_error: z.string().nullable().describe("Of the last call of its driver, while that fails."),
        }),
      )
      .describe(`Its machines, the newest first; at most ${RELEASED_SHOWN_MAX} that its driver has removed.`),
  })
  .meta({ id: "PoolDetails" });

export const poolTokenSchema = z
  .object({
    pool_token_id: idSchema,
    pool: z.string(),
    created: timestampSchema,
    expires: timestampSchema,
    uses_max: z.int(),
    uses: z.int().describe("Machines that it let in."),
  })
  .meta({ id: "PoolToken" });

export type PoolRecord = z.output<typeof poolSchema>;

export interface PoolSums {
  readonly machines: number;
  readonly coming: number;
  readonly wanted: number;
  readonly perHour: number;
  readonly inDay: number;
  readonly why: string;
}

export function poolRecord(pool: Pool, sums: PoolSums): PoolRecord {
  const { offer, driver } = pool;
  return {
    pool: pool.id,
    created: timestamp(pool.createdAt),
    min: pool.min,
    max: pool.max,
    warm_spare: pool.warmSpare,
    cooldown_seconds: pool.cooldownMs / 1000,
    boot_seconds: pool.bootMs / 1000,
    cost_per_hour: pool.costPerHour,
    budget_per_hour: pool.budgetPerHour,
    budget_per_day: pool.budgetPerDay,
    offer: {
      gpu_type: offer.gpuType,
      gpu_count: offer.gpuCount,
      gpu_memory_bytes: offer.gpuMemoryBytes,
      slots: offer.slots,
      cpu_cores: offer.cpuCores,
      memory_bytes: offer.memoryBytes,
      node_labels: { ...offer.labels },
      containers: offer.containers,
      builtin_provers: [...offer.builtinProvers],
      shells: offer.shells,
    },
    driver: {
      kind: driver.kind,
      url: driver.kind === "webhook" ? driver.url : null,
      name: driver.kind === "command" ? driver.name : null,
    },
    stopped: timestampOrNull(pool.stopped?.at ?? null),
    stopped_reason: pool.stopped?.reason ?? null,
    machines: sums.machines,
    coming: sums.coming,
    wanted: sums.wanted,
    spent_per_hour: rounded(sums.perHour),
    spent_in_day: rounded(sums.inDay),
    why: sums.why,
  };
}

export function machineRecords(machines: readonly PoolMachine[]): z.output<typeof poolDetailsSchema>["items"] {
  const newest = machines.toSorted((a, b) => b.requestedAt - a.requestedAt);
  const released = newest.filter(({ state }) => state === "released").slice(0, RELEASED_SHOWN_MAX);
  return newest.filter((one) => one.state !== "released" || released.includes(one)).map(machineRecord);
}

function machineRecord(machine: PoolMachine): z.output<typeof poolDetailsSchema>["items"][number] {
  return {
    request_id: machine.id,
    state: STATES[machine.state],
    since: timestamp(machine.since),
    machine: machine.machine,
    node_id: machine.nodeId,
    requested: timestamp(machine.requestedAt),
    joined: timestampOrNull(machine.joinedAt),
    released: timestampOrNull(machine.releasedAt),
    requested_by_pool: machine.unrequested !== true,
    failure: machine.failure?.reason ?? null,
    driver_error: machine.calls.lastError,
  };
}

export function poolTokenRecord(token: PoolToken): z.output<typeof poolTokenSchema> {
  return {
    pool_token_id: token.id,
    pool: token.poolId,
    created: timestamp(token.createdAt),
    expires: timestamp(token.expiresAt),
    uses_max: token.usesMax,
    uses: token.uses,
  };
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}
