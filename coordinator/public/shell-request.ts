/** The request for a shell: every field with its bounds and default. */
import { z } from "zod";
import { type NewShell, SHELL_WARNING_MS } from "../domain/shell.ts";
import { gpuMembers, nodeLabelsSchema, refuseOddGpus, requestedGpus } from "./gpu-request.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const DAY_S = 86_400;
/** As long as a session is warned before. */
const IDLE_STOP_S_MIN = SHELL_WARNING_MS / 1000;
/** As many as compilers start. */
const PIDS = 2_048;
/** Of the small folders in memory. */
const TMP_BYTES = 64 * MIB;

export const shellRequestSchema = z
  .strictObject({
    shell_name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "1 to 63 letters, digits, dots, dashes and underscores")
      .optional()
      .describe("Made of the shell's id where it is left out."),
    image: z.string().min(1).max(64).optional().describe("One of the installation's; its first where it is left out."),
    gpu_type: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .default(null)
      .describe("As GET /v1/gpu-types names it; null for any where another member requests a GPU, else for none."),
    ...gpuMembers,
    gpu_count: z.int().min(1).max(16).optional().describe("Where it is left out: 1 if another member requests a GPU."),
    node_labels: nodeLabelsSchema,
    cpu_millis: z.int().min(100).max(256_000).default(1_000),
    memory_bytes: z
      .int()
      .min(64 * MIB)
      .max(4096 * GIB)
      .default(2 * GIB),
    home_bytes: z
      .int()
      .min(32 * MIB)
      .max(1024 * GIB)
      .default(10 * GIB)
      .describe("Of the disk that a stop keeps. As much again is there for everything else, until a stop."),
    longest_life_seconds: z
      .int()
      .min(60)
      .max(30 * DAY_S)
      .default(DAY_S)
      .describe("After so long a run ends; its home stays."),
    idle_stop_seconds: z
      .int()
      .min(IDLE_STOP_S_MIN)
      .max(30 * DAY_S)
      .nullable()
      .default(3_600)
      .describe("After so long without anything typed or shown in a session a run ends; null for never."),
    password_login: z.boolean().default(true).describe("False: only authorised keys open it."),
    egress: z
      .array(z.string().min(1).max(260))
      .max(64)
      .default([])
      .describe(
        "Where it may connect, over the proxy that its environment names: `host`, `host:port`, `*.domain` or `*`, " +
          "within what the installation allows. Without a port it is 443. Nowhere where it is left out.",
      ),
  })
  .superRefine((requested, context) => refuseOddGpus({ ...requested, gpu_model: requested.gpu_type }, context));

export type ShellRequest = z.output<typeof shellRequestSchema>;

type ShellSettings = Pick<
  NewShell,
  "resources" | "homeBytes" | "scratchBytes" | "longestLifeMs" | "idleStopMs" | "passwordLogin"
>;

export function toShell(requested: ShellRequest): ShellSettings {
  return {
    resources: {
      ...requestedGpus({ ...requested, gpu_model: requested.gpu_type }),
      gpuModel: requested.gpu_type,
      nodeLabels: requested.node_labels,
      cpuMillis: requested.cpu_millis,
      memoryBytes: requested.memory_bytes,
      pids: PIDS,
      tmpBytes: TMP_BYTES,
    },
    homeBytes: requested.home_bytes,
    scratchBytes: requested.home_bytes,
    longestLifeMs: requested.longest_life_seconds * 1000,
    passwordLogin: requested.password_login,
    idleStopMs: requested.idle_stop_seconds === null ? null : requested.idle_stop_seconds * 1000,
  };
}
