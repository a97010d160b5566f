/** Nodes, and the types of their GPUs, as the commands print them. */
import type { GpuTypeRecord, NodeDetails, NodeRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { type Field, fieldLines } from "./fields.ts";
import { sizeText } from "./size-text.ts";

export function nodeLines(nodes: readonly NodeRecord[]): string {
  return columns(
    ["NODE", "STATE", "GPUS", "SLOTS", "SCORE", "ATTEMPTS", "WORKLOADS", "SHELLS", "LABELS", "LAST SEEN"],
    nodes.map((node) => [
      node.node_id,
      node.quarantine ? `${node.state} (quarantined)` : node.state,
      gpusText(node) || null,
      String(node.slots),
      node.score === null ? null : String(node.score),
      String(node.running_attempts),
      String(node.workloads),
      String(node.shells),
      labelsText(node) || null,
      node.last_heartbeat,
    ]),
  );
}

/** What its record says; of its page also the machine, its GPUs and what it holds. */
export function nodeText(node: NodeRecord | NodeDetails): string {
  return fieldLines([
    ["node", node.node_id],
    ["state", `${node.state} since ${node.since}`],
    ...drainFields(node),
    ...quarantineFields(node),
    ...(node.disk_pressure === null ? [] : [["no new work", node.disk_pressure] as const]),
    ["hostname", node.hostname],
    ["agent version", node.agent_version],
    ...(node.pool ? [["pool", `${node.pool}, machine ${node.machine}`] as const] : []),
    ["labels", labelsText(node)],
    ["slots", node.slots],
    ["score", node.score],
    ["left", leftText(node)],
    ["last heartbeat", node.last_heartbeat],
    ...(node.why_unheard === null ? [] : [["not seen", node.why_unheard] as const]),
    ["certificate ends", node.certificate_ends],
    ...("gpus" in node ? detailFields(node) : []),
  ]);
}

/** What is there, in words; `nothing` for an empty node. */
export function leftText({ running_attempts: attempts, workloads, shells }: NodeRecord): string {
  const parts = [counted(attempts, "attempt"), counted(shells, "shell"), counted(workloads, "workload")];
  return parts.filter((part) => part !== "").join(", ") || "nothing";
}

export function gpuTypeLines(types: readonly GpuTypeRecord[]): string {
  return columns(
    ["GPU TYPE", "MEMORY", "MIG PROFILE", "FREE", "TOTAL"],
    types.map((type) => [
      type.gpu_type,
      sizeText(type.memory_bytes),
      type.mig_profile,
      String(type.free),
      String(type.total),
    ]),
  );
}

function drainFields({ drain }: NodeRecord): readonly Field[] {
  if (drain === null) return [];
  const by = drain.asked_by === null ? "on the machine" : `by ${named(drain.asked_by_name, drain.asked_by)}`;
  return [["drain", `requested ${by} at ${drain.asked}${drain.stop_shells ? ", shells are stopped" : ""}`]];
}

/** Left out by coordinators of earlier versions. */
function quarantineFields({ quarantine, node_id: id }: NodeRecord): readonly Field[] {
  if (!quarantine) return [];
  const { since, reason, ends } = quarantine;
  return [["quarantine", `since ${since}, until ${ends} or: elastic node resume ${id}\n${reason}`]];
}

function detailFields(node: NodeDetails): readonly Field[] {
  return [
    ["cpu cores", node.cpu_cores],
    ["cpu speed", node.cpu_speed && speedText(node.cpu_speed)],
    ["memory", sizeText(node.memory_bytes)],
    ["container engine", node.engine && `${node.engine.name} ${node.engine.version}`],
    ["builtin provers", node.builtin_provers.join(", ")],
    ["takes shells", node.takes_shells ? "yes" : "no"],
    ["gpus", countedLines(node.gpus.map((gpu) => gpuText(gpu, node.holds)))],
    ["holds", countedLines(node.holds.map(holdingText))],
    ["attempts", countedLines(node.attempts.map(attemptText))],
  ];
}

function countedLines(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : [lines.length, ...lines].join("\n");
}

function gpuText(gpu: NodeDetails["gpus"][number], holds: NodeDetails["holds"]): string {
  const holder = holds.find(({ assignment_id: id }) => id === gpu.given_to);
  const givenTo = holder === undefined ? "free" : whatText(holder);
  const state = gpu.healthy ? givenTo : `quarantined: ${gpu.quarantine_reason}`;
  const speed = gpu.speed === null ? "" : `, ${speedText(gpu.speed)}`;
  return `${gpu.gpu_type}, ${sizeText(gpu.memory_bytes)}, ${gpu.uuid}: ${state}${speed}`;
}

function speedText(speed: NonNullable<NodeDetails["cpu_speed"]>): string {
  const millions = (rate: number): string => `${Number((rate / 1e6).toPrecision(3))} M`;
  const { msm_points_per_second: points, ntt_elements_per_second: elements } = speed;
  return `score ${speed.score} (${millions(points)} points/s, ${millions(elements)} elements/s)`;
}

function holdingText(holding: NodeDetails["holds"][number]): string {
  const failed = holding.failure === null ? "" : `: ${holding.failure}`;
  return `${holding.assignment_id} ${holding.phase ?? "assigned"} ${whatText(holding)}${failed}`;
}

function whatText(holding: NodeDetails["holds"][number]): string {
  const { service_id: service, deployment_id: deployment, shell_id: shell } = holding;
  const erased = holding.kind === "shell_erasure" ? "home of " : "";
  const what =
    service === null
      ? `${erased}shell ${named(holding.shell_name, shell)}`
      : `service ${named(holding.service_name, service)}, deployment ${named(holding.deployment_tag, deployment)}`;
  return `${what} of ${holding.team_name || holding.team_id}`;
}

function attemptText(one: NodeDetails["attempts"][number]): string {
  const service = named(one.service_name, one.service_id);
  return `${one.task_id} attempt ${one.attempt} of service ${service}, since ${one.started}`;
}

/** What has no name, or is forgotten, goes by its id alone. */
function named(name: string | null, id: string | null): string {
  return name === null ? `${id}` : `${name} (${id})`;
}

function gpusText({ gpu_types: types }: NodeRecord): string {
  return types.map(({ gpu_type: type, total, free }) => `${total} x ${type} (${free} free)`).join(", ");
}

function labelsText({ labels }: NodeRecord): string {
  return Object.entries(labels)
    .map((label) => label.join("="))
    .join(", ");
}

function counted(count: number, noun: string): string {
  if (count === 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
