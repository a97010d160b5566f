/** What an operator sends of a pool. */
import { z } from "zod";
import { POOL_MACHINES_MAX, poolComplaint } from "../domain/pool.ts";
import { nodeLabelsSchema } from "./gpu-request.ts";

const DAY_S = 86_400;
const TIB = 2 ** 40;

const amountSchema = z.number().min(0).max(1e9);

const offerSchema = z
  .strictObject({
    gpu_type: z.string().min(1).max(64).nullable().default(null).describe("The full name, as `nvidia-smi` has it."),
    gpu_count: z.int().min(0).max(64).default(0),
    gpu_memory_bytes: z.int().min(0).max(TIB).default(0).describe("Of each GPU."),
    slots: z.int().min(1).max(1024).nullable().default(null).describe("null: as many as GPUs, or cores without any."),
    cpu_cores: z.int().min(1).max(4096),
    memory_bytes: z
      .int()
      .min(1)
      .max(64 * TIB),
    node_labels: nodeLabelsSchema.describe("That its agents are set to have (`ELASTIC_LABELS`)."),
    containers: z.boolean().default(true).describe("Whether it has a container engine."),
    builtin_provers: z.array(z.string().min(1).max(64)).max(32).default([]),
    shells: z.boolean().default(false),
  })
  .refine(({ gpu_count, gpu_type }) => gpu_count > 0 === (gpu_type !== null), "gpu_type and gpu_count go together")
  .describe("What each of its machines has: one that joins with less counts as one that did not come up.");

const driverSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("webhook"),
    url: z.string().describe("https, or permitted by `ELASTIC_EGRESS_ALLOW`."),
    new_secret: z.boolean().default(false).describe("Sign with a new secret from now on; the response has it."),
  }),
  z.strictObject({
    kind: z.literal("command"),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
      .describe("A name of `ELASTIC_POOL_COMMANDS`."),
  }),
]);

export const poolRequestSchema = z
  .strictObject({
    min: z.int().min(0).max(POOL_MACHINES_MAX).default(0),
    max: z.int().min(0).max(POOL_MACHINES_MAX),
    warm_spare: z.int().min(0).max(POOL_MACHINES_MAX).default(0).describe("Idle machines beyond those at work."),
    cooldown_seconds: z
      .int()
      .min(30)
      .max(DAY_S)
      .default(300)
      .describe("How long a machine is idle, and nothing has grown, before it is removed."),
    boot_seconds: z
      .int()
      .min(10)
      .max(DAY_S)
      .default(900)
      .describe("From the request of a machine until it must have joined."),
    cost_per_hour: amountSchema.default(0).describe("Of one machine, in any currency."),
    budget_per_hour: amountSchema.nullable().default(null).describe("Of all of them together; null for none."),
    budget_per_day: amountSchema.nullable().default(null).describe("The same, in any 24 hours."),
    offer: offerSchema,
    driver: driverSchema,
  })
  .superRefine((requested, context) => {
    const complaint = poolComplaint({
      min: requested.min,
      max: requested.max,
      costPerHour: requested.cost_per_hour,
      budgetPerHour: requested.budget_per_hour,
      budgetPerDay: requested.budget_per_day,
    });
    if (complaint !== null) context.addIssue({ code: "custom", message: complaint });
  });

export type PoolRequest = z.output<typeof poolRequestSchema>;
