/** The one place that knows a shell's public JSON. */
import { z } from "zod";
import { noticeToShells } from "../domain/node-drain.ts";
import { endOfRun, isWanted, type Shell } from "../domain/shell.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { failureSchema } from "./service-record.ts";
import type { SshGateway } from "./ssh-gateway.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

const STATES = {
  creating: "CREATING",
  ready: "READY",
  stopped: "STOPPED",
  failed: "FAILED",
  deleted: "DELETED",
} as const;

export const shellSchema = z
  .object({
    shell_id: idSchema,
    shell_name: z.string(),
    team_id: idSchema,
    team_name: z.string(),
    creator_id: idSchema,
    state: z.enum(["CREATING", "READY", "STOPPED", "FAILED", "DELETED"]),
    waiting_for: z.string().nullable().describe("What a shell that is being created lacks, for a person."),
    stopped_by: z.enum(["user", "expired", "idle", "drain"]).nullable(),
    notice: z.string().nullable().describe("What its users should know while it runs, for a person."),
    failure: failureSchema,
    created: timestampSchema,
    expires: timestampSchema.nullable().describe("When its run ends for its longest life, or unused; a use moves it."),
    idle_stop_seconds: z.int().nullable(),
    image: z.string(),
    gpu_type: z.string().nullable(),
    gpu_count: z.int(),
    gpu_memory_bytes: z.int().describe("Of each GPU, at least."),
    gpu_mig_profile: z.string().nullable(),
    node_labels: z.record(z.string(), z.string()),
    cpu_millis: z.int(),
    memory_bytes: z.int(),
    home_bytes: z.int(),
    egress: z.array(z.string()).describe("Where it may connect, as `host:port`; empty for nowhere."),
    username: z.string(),
    password_login: z.boolean().describe("False: only authorised keys open it."),
    hostname: z.string().nullable().describe("Of the SSH gateway; null where there is none."),
    port: z.int().nullable(),
    host_key: z.string().nullable().describe("Of the SSH gateway, as its line of known_hosts has it after the host."),
    host_key_fingerprint: z.string().nullable().describe("Of the same, as OpenSSH prints it."),
  })
  .meta({ id: "Shell" });

export const shellWithPasswordSchema = shellSchema
  .extend({
    password: z
      .string()
      .nullable()
      .describe("Null where only keys open it, for viewers, once it is deleted, or where it was left out."),
  })
  .meta({ id: "ShellWithPassword" });

export type ShellRecord = z.output<typeof shellSchema>;

export function publicShellState({ state }: Pick<Shell, "state">): ShellRecord["state"] {
  return STATES[state.kind];
}

export function shellRecord(
  view: Pick<View, "teams" | "nodes">,
  { gateway }: { readonly gateway: SshGateway | null },
  shell: Shell,
): ShellRecord {
  const { state, resources } = shell;
  const end = endOfRun(shell);
  return {
    shell_id: shell.id,
    shell_name: shell.name,
    team_id: shell.teamId,
    team_name: view.teams.get(shell.teamId)?.value.name ?? "",
    creator_id: shell.creatorId,
    state: publicShellState(shell),
    waiting_for: state.kind === "creating" ? state.waitingFor : null,
    stopped_by: state.kind === "stopped" ? state.cause : null,
    notice: noticeOf(view, shell),
    failure: state.kind === "failed" ? { reason: state.reason, message: state.message } : null,
    created: timestamp(shell.createdAt),
    expires: end === null ? null : timestamp(end.at),
    idle_stop_seconds: shell.idleStopMs === null ? null : shell.idleStopMs / 1000,
    image: shell.imageName,
    gpu_type: resources.gpuModel,
    gpu_count: resources.gpuCount,
    gpu_memory_bytes: resources.gpuMemoryBytes,
    gpu_mig_profile: resources.gpuMigProfile ?? null,
    node_labels: { ...resources.nodeLabels },
    cpu_millis: resources.cpuMillis,
    memory_bytes: resources.memoryBytes,
    home_bytes: shell.homeBytes,
    egress: [...(shell.egress ?? [])],
    username: shell.id,
    password_login: shell.passwordLogin ?? true,
    hostname: gateway?.address.host ?? null,
    port: gateway?.address.port ?? null,
    host_key: gateway === null ? null : `${gateway.hostKey.type} ${gateway.hostKey.blob}`,
    host_key_fingerprint: gateway?.hostKey.fingerprint ?? null,
  };
}

function noticeOf({ nodes }: Pick<View, "nodes">, shell: Shell): string | null {
  const node = nodes.get(shell.nodeId ?? "")?.value;
  return node === undefined || !isWanted(shell) ? null : noticeToShells(node);
}
