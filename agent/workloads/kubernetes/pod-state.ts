/** What a Pod's record says of its prover: where it waits, where it can be reached, or how it ended. Decides and does nothing. */
import { constants } from "node:os";
import type { AgentFailureReason } from "@elastic/proto/failure-reasons.ts";
import type { ContainerEnd } from "../docker/container-exit.ts";
import type { ContainerStatus, Pod, PodCondition } from "./pod.ts";

export type PodState =
  /** `why` says what it waits for, where the cluster says so; `sinceMs` since when, on the cluster's clock. */
  | {
      readonly kind: "waiting";
      readonly step: "scheduling" | "pulling" | "starting";
      readonly why: string;
      readonly sinceMs: number | null;
    }
  /** It will not start as it is. */
  | { readonly kind: "refused"; readonly reason: AgentFailureReason; readonly message: string }
  | { readonly kind: "running"; readonly ip: string }
  | { readonly kind: "ended"; readonly end: ContainerEnd };

/** Reasons for which a container waits in vain, and whose doing that is. */
const REFUSALS: Readonly<Record<string, AgentFailureReason>> = {
  ErrImagePull: "image_unavailable",
  ImagePullBackOff: "image_unavailable",
  InvalidImageName: "image_unavailable",
  ErrImageNeverPull: "image_unavailable",
  ImageInspectError: "image_unavailable",
  RegistryUnavailable: "image_unavailable",
  SignatureValidationFailed: "image_unavailable",
  CreateContainerConfigError: "prover_error",
  CreateContainerError: "prover_error",
  RunContainerError: "prover_error",
};

/** Of a Pod's status: its container ran on what went away, or somebody needed the room. */
const LOST_REASONS =
  /^(Evicted|NodeLost|NodeShutdown|Shutdown|Terminated|Preempting|DeadlineExceeded|UnexpectedAdmissionError|NodeAffinity|OutOf.*|Topology.*)$/;
/** An eviction that is the prover's doing: it wrote more than it may. */
const WROTE_TOO_MUCH = /exceed/i;
/** How long after a Pod should be gone its node counts as lost. */
const GONE_WITHIN_MS = 30_000;

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export function stateOf(pod: Pod, nowMs: number): PodState {
  const { phase, podIP } = pod.status ?? {};
  const container = pod.status?.containerStatuses?.[0];
  const isOver = phase === "Failed" || phase === "Succeeded" || phase === "Unknown";
  if (isOver || container?.state?.terminated !== undefined || isNodeGone(pod, nowMs)) {
    return { kind: "ended", end: endOf(pod, container) };
  }
  const { waiting, running } = container?.state ?? {};
  if (running !== undefined && podIP) return { kind: "running", ip: podIP };
  const reason = REFUSALS[waiting?.reason ?? ""];
  if (reason !== undefined) return { kind: "refused", reason, message: refusalText(waiting ?? {}) };
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled?.status === "False") {
    return { kind: "waiting", step: "scheduling", why: scheduled.message ?? "", sinceMs: transitionMs(scheduled) };
  }
  if (scheduled?.status !== "True") return { kind: "waiting", step: "scheduling", why: "", sinceMs: null };
  const step = container === undefined || waiting?.reason === "ContainerCreating" ? "pulling" : "starting";
  return { kind: "waiting", step, why: waiting?.message ?? "", sinceMs: transitionMs(scheduled) };
}

function refusalText({ reason = "", message }: { readonly reason?: string; readonly message?: string }): string {
  return `the cluster cannot start the container (${reason})${message ? `: ${message}` : ""}`;
}

/** What the container exited with counts more than who wanted it gone. */
function endOf(pod: Pod, container: ContainerStatus | undefined): ContainerEnd {
  const terminated = container?.state?.terminated;
  const exitCode = terminated?.exitCode ?? null;
  const outOfMemory = terminated?.reason === "OOMKilled";
  const lostBy = outOfMemory ? null : whyLost(pod, exitCode);
  return {
    exitCode,
    signal: exitCode !== null && exitCode > 128 ? (SIGNAL_NAMES.get(exitCode - 128) ?? null) : null,
    outOfMemory,
    byAgent: false,
    engineWentAway: false,
    endRequested: false,
    ...(lostBy === null ? {} : { lostBy }),
  };
}

/** Null where the prover ended on its account. */
function whyLost(pod: Pod, exitCode: number | null): string | null {
  const { phase, reason = "", message = "" } = pod.status ?? {};
  const disruption = conditionOf(pod, "DisruptionTarget");
  if (LOST_REASONS.test(reason)) {
    if (reason === "Evicted" && WROTE_TOO_MUCH.test(message)) return null;
    return said(`the cluster ended the prover's Pod (${reason})`, message);
  }
  if (disruption?.status === "True") {
    return said(`the cluster ended the prover's Pod (${disruption.reason ?? "DisruptionTarget"})`, disruption.message);
  }
  if (pod.metadata.deletionTimestamp !== undefined) return "the prover's Pod was deleted";
  if (phase === "Unknown") return said("the cluster lost the node of the prover's Pod", message);
  // A Pod that failed without its container: the node did not take it.
  if (phase === "Failed" && exitCode === null) return said("the node did not run the prover's Pod", message || reason);
  return null;
}

function said(what: string, message: string | undefined): string {
  return message ? `${what}: ${message}` : what;
}

/** Its node does not respond, and the cluster has decided that its Pods are to go; nobody says that they are gone. */
function isNodeGone(pod: Pod, nowMs: number): boolean {
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return false;
  if (conditionOf(pod, "DisruptionTarget")?.reason === "DeletionByTaintManager") return true;
  return nowMs > Date.parse(deletionTimestamp) + GONE_WITHIN_MS;
}

function conditionOf({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

function transitionMs({ lastTransitionTime }: PodCondition): number | null {
  return lastTransitionTime ? Date.parse(lastTransitionTime) : null;
}
