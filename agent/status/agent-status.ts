/** How a running agent is, for people and programs on its machine. */
import type { DrainStatus } from "../drain/drain-orders.ts";
import { drainText } from "../drain/drain-text.ts";
import type { TrackedGpu } from "../gpus/tracked-gpu.ts";
import type { LinkStatus } from "../link/links.ts";
import type { SupervisedWorkload } from "../workloads/supervise.ts";

export interface WorkloadStatus {
  readonly assignmentId: string;
  readonly serviceId: string;
  readonly image: string;
  readonly phase: string;
  /** Why it failed; null unless it did. */
  readonly failure: string | null;
}

export interface AgentStatus {
  readonly nodeId: string;
  readonly version: string;
  readonly sessionId: string;
  readonly uptimeSeconds: number;
  readonly metrics: string;
  readonly engine: string | null;
  readonly builtinProvers: readonly string[];
  /** How builtin provers are isolated. */
  readonly sandbox: string;
  readonly slots: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether the node takes work. */
  readonly drain: DrainStatus;
  /** Why it takes no new workloads: its disks are full. Null while they have room. */
  readonly diskPressure: string | null;
  /** Of the machine; null until it was measured, and without an acceleration library. */
  readonly score: number | null;
  readonly gpus: readonly string[];
  readonly links: readonly LinkStatus[];
  readonly workloads: readonly WorkloadStatus[];
  readonly attemptsRunning: number;
  readonly outcomesPending: number;
  readonly outcomesSpooled: number;
}

/** One line of a GPU, with why it is quarantined where it is. */
export function gpuStatus(gpu: TrackedGpu): string {
  const name = `${gpu.reading.model} ${gpu.reading.migProfile}`.trim();
  const why = gpu.whyUnhealthy();
  return why === null ? name : `${name} (quarantined: ${why})`;
}

export function workloadStatus({ spec, state }: Pick<SupervisedWorkload, "spec" | "state">): WorkloadStatus {
  const now = state();
  return {
    assignmentId: spec.assignmentId,
    serviceId: spec.serviceId,
    image: spec.image,
    phase: now.kind,
    failure: now.kind === "failed" ? now.failure.message : null,
  };
}

export function noAgentText(stateDir: string): string {
  return `no agent runs with the state directory ${stateDir}: start it, or set ELASTIC_STATE_DIR as it has it`;
}

export function statusText(status: AgentStatus): string {
  const lines = [
    ["node", status.nodeId],
    ["work", drainText(status.drain)],
    ...(status.diskPressure === null ? [] : [["disks", status.diskPressure]]),
    ["agent", `${status.version}, up ${Math.round(status.uptimeSeconds)} s, metrics on ${status.metrics}`],
    ["engine", status.engine ?? "none"],
    ["builtin", `${status.builtinProvers.join(", ") || "none"} (sandbox: ${status.sandbox})`],
    ["slots", `${status.slots}${status.gpus.length > 0 ? ` (${status.gpus.join(", ")})` : ""}`],
    ["score", `${status.score ?? "none"}`],
    [
      "labels",
      Object.entries(status.labels)
        .map((label) => label.join("="))
        .join(", ") || "none",
    ],
    ...status.links.map((link) => ["link", `${link.address} ${linkText(link)}`]),
    ...status.workloads.map((each) => ["workload", workloadText(each)]),
    [
      "attempts",
      `${status.attemptsRunning} running, ${status.outcomesPending} not acknowledged, ${status.outcomesSpooled} on disk`,
    ],
  ];
  return lines.map(([name = "", value = ""]) => `${name.padEnd(10)}${value}`).join("\n");
}

function linkText({ up, coordinatorId, whyDown }: LinkStatus): string {
  if (up) return `up (${coordinatorId})`;
  return whyDown === null ? "down" : `down: ${whyDown}`;
}

function workloadText({ assignmentId, image, phase, failure }: WorkloadStatus): string {
  return `${assignmentId} ${phase} ${image}${failure === null ? "" : `: ${failure}`}`;
}
