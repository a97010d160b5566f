/** The request for a deployment: every field with its bounds and default. */
import { z } from "zod";
import type { Deployment, DeploymentLimits, Resources, Scaling } from "../domain/deployment.ts";
import { isName, NAME_RULE } from "../domain/team.ts";
import { gpuMembers, nodeLabelsSchema, refuseOddGpus, requestedGpus } from "./gpu-request.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const DAY_S = 86_400;

/** The environment is sealed into the deployment's record, which must stay small. */
export const ENV_BYTES_MAX = 4 * 1024;
export const ENV_SIZE_RULE = `at most ${ENV_BYTES_MAX} bytes as JSON`;

/**
 * Names that the platform sets itself, or that change how programs are loaded before the prover runs. All that
 * agent/workloads/docker/container-env.ts leaves out or sets is among them: it would be lost there without a word.
 */
const RESERVED_NAMES = [
  ...["PORT", "HOME", "TMPDIR", "PATH", "BASH_ENV", "NODE_OPTIONS", "CUDA_VISIBLE_DEVICES"],
  ...["GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "HOSTALIASES", "RES_OPTIONS"],
];
const RESERVED_NAME = new RegExp(`^(${RESERVED_NAMES.join("|")}|(LD|NVIDIA|ELASTIC)_.*)$`);

const envSchema = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "a name of letters, digits and underscores")
      .refine((name) => !RESERVED_NAME.test(name), "this name is set by the platform"),
    z
      .string()
      .refine((value) => !value.includes("\0"), "no NUL")
      .nullable(),
  )
  .refine(isEnvSmall, ENV_SIZE_RULE);

/** Of what is sent, and of what it comes to with the environment that it changes. */
export function isEnvSmall(env: object): boolean {
  return Buffer.byteLength(JSON.stringify(env)) <= ENV_BYTES_MAX;
}

const resourcesSchema = z
  .strictObject({
    ...gpuMembers,
    gpu_count: z
      .int()
      .min(0)
      .max(16)
      .optional()
      .describe("Where it is left out: 1 if another member requests a GPU, else 0."),
    gpu_model: z.string().min(1).max(64).refine(isName, NAME_RULE).nullable().default(null),
    node_labels: nodeLabelsSchema,
    /** One core, as a slot of a machine without GPU has. */
    cpu_millis: z.int().min(100).max(256_000).default(1_000),
    memory_bytes: z
      .int()
      .min(16 * MIB)
      .max(4096 * GIB)
      .default(2 * GIB),
    pids: z.int().min(16).max(32_768).default(512),
    tmp_bytes: z
      .int()
      .min(MIB)
      .max(1024 * GIB)
      .default(256 * MIB),
  })
  .superRefine(refuseOddGpus);

const scalingSchema = z
  .strictObject({
    min: z.int().min(0).max(100).default(1),
    max: z.int().min(1).max(100).optional().describe("As `min`, and at least 1, where it is left out."),
    idle_timeout_seconds: z.int().min(1).max(DAY_S).default(300),
    target_queue_seconds: z.int().min(1).max(DAY_S).default(30),
  })
  .refine(({ min, max }) => max === undefined || min <= max, "min is larger than max");

const limitsSchema = z.strictObject({
  queue_timeout_seconds: z
    .int()
    .min(1)
    .max(7 * DAY_S)
    .default(DAY_S),
  /** Pull and start of a large image. */
  start_timeout_seconds: z.int().min(1).max(3_600).default(600),
  run_timeout_seconds: z.int().min(1).max(DAY_S).default(3_600),
  concurrency: z.int().min(1).max(64).default(1),
  prover_retries: z.int().min(0).max(5).default(0),
});

export const deploymentRequestSchema = z.strictObject({
  image: z.string().min(1).max(1024).describe("`<registry>/<repository>[:tag][@digest]`, or `builtin:<name>`."),
  tag: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/, "up to 128 letters, digits, dots, dashes and underscores")
    .optional()
    .describe("Your label; the image's tag where it is left out."),
  verifier_image: z
    .string()
    .min(1)
    .max(1024)
    .nullish()
    .describe(
      'Named as `image`; is posted `{input, result}` and must respond with `{"valid": true}` before a task succeeds.',
    ),
  volume_id: z.string().nullish().describe("A data volume of the team, seen read-only at /data."),
  env: envSchema.default({}).describe("Null removes a name of the environment that it changes."),
  env_deployment_id: z
    .string()
    .nullish()
    .describe("A deployment of the service whose environment `env` changes; without one, `env` is all of it."),
  resources: resourcesSchema.prefault({}),
  scaling: scalingSchema.prefault({}),
  limits: limitsSchema.prefault({}),
});

export type DeploymentRequest = z.output<typeof deploymentRequestSchema>;

/** Of a deployment whose request leaves all of them out. */
export const DEFAULT_SETTINGS = settingsOf(deploymentRequestSchema.parse({ image: "builtin:none" }));

export function settingsOf(requested: DeploymentRequest): Pick<Deployment, "resources" | "scaling" | "limits"> {
  return { resources: toResources(requested), scaling: toScaling(requested), limits: toLimits(requested) };
}

function toResources({ resources: requested }: DeploymentRequest): Resources {
  return {
    ...requestedGpus(requested),
    gpuModel: requested.gpu_model,
    nodeLabels: requested.node_labels,
    cpuMillis: requested.cpu_millis,
    memoryBytes: requested.memory_bytes,
    pids: requested.pids,
    tmpBytes: requested.tmp_bytes,
  };
}

function toScaling({ scaling: requested }: DeploymentRequest): Scaling {
  return {
    min: requested.min,
    max: requested.max ?? Math.max(1, requested.min),
    idleTimeoutMs: requested.idle_timeout_seconds * 1000,
    targetQueueMs: requested.target_queue_seconds * 1000,
  };
}

function toLimits({ limits: requested }: DeploymentRequest): DeploymentLimits {
  return {
    budgets: {
      queueMs: requested.queue_timeout_seconds * 1000,
      startMs: requested.start_timeout_seconds * 1000,
      runMs: requested.run_timeout_seconds * 1000,
    },
    concurrency: requested.concurrency,
    proverRetries: requested.prover_retries,
  };
}
