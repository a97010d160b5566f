/** What of a cluster this node has: the GPUs that nobody else's Pods requested, its processors, its memory. Pure. */
import type { Gpu } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { ClusterSetting } from "../../domain/cluster-setting.ts";
import type { ClusterNode, Pod, PodContainer } from "./pod.ts";
import { ANNOTATIONS, LABELS, labelValue, PROVER_KIND } from "./pod-labels.ts";
import { parseQuantity } from "./quantity.ts";

export interface Capacity {
  readonly gpus: readonly Gpu[];
  /** Of the largest node, since a Pod runs on one; null where nodes cannot be read, as `memoryBytes`. */
  readonly cpuCores: number | null;
  /** Of all nodes. */
  readonly memoryBytes: number | null;
  /** Processors of all nodes: as many provers at once where there are no GPUs. */
  readonly slots: number | null;
}

/** As NVIDIA's GPU feature discovery labels nodes. */
const MODEL_LABEL = "nvidia.com/gpu.product";
const MEMORY_LABEL = "nvidia.com/gpu.memory";
const MIB = 1024 * 1024;
/** As coordinators take them. */
const GPUS_MAX = 1024;

export interface ClusterUse {
  /** Null where the agent may not read them. */
  readonly nodes: readonly ClusterNode[] | null;
  /** Of all namespaces; null where the agent may not read them. */
  readonly allPods: readonly Pod[] | null;
  /** Of this node. */
  readonly ownPods: readonly Pod[];
}

/** Whose Pods those of a node are. */
export interface PodsOwner {
  readonly nodeId: string;
  readonly namespace: string;
}

export function capacityOf(
  { nodeId, namespace }: PodsOwner,
  { gpuResource, gpus }: Pick<ClusterSetting, "gpuResource" | "gpus">,
  { nodes, allPods, ownPods }: ClusterUse,
): Capacity {
  const usable = nodes?.filter(isUsable) ?? [];
  const total = sum(usable.map((node) => amountOf(node, gpuResource)));
  const names = new Set(usable.map((node) => node.metadata.name));
  const others = (allPods ?? []).filter((pod) => isUsing(pod, names) && !isOf(pod, { nodeId, namespace }));
  const free = allPods === null ? 0 : total - sum(others.map((pod) => requestOf(pod, gpuResource)));
  const uuids = gpuNames(nodeId, Math.max(0, gpus === null ? free : gpus), gpusInUse(nodeId, ownPods));
  return {
    gpus: uuids.map((uuid) =>
      gpuOf(
        uuid,
        usable.filter((node) => amountOf(node, gpuResource) > 0),
      ),
    ),
    cpuCores: nodes === null ? null : Math.floor(Math.max(0, ...usable.map((node) => amountOf(node, "cpu")))),
    memoryBytes: nodes === null ? null : sum(usable.map((node) => amountOf(node, "memory"))),
    slots: nodes === null ? null : Math.floor(sum(usable.map((node) => amountOf(node, "cpu")))),
  };
}

/**
 * A cluster gives a Pod a number of GPUs, whichever they are, so their names are of this node alone. Those in use stay, so
 * that no workload loses its GPU when Pods of others take some.
 */
function gpuNames(nodeId: string, count: number, inUse: ReadonlySet<string>): readonly string[] {
  const names = new Set(inUse);
  for (let index = 0; names.size < Math.min(count, GPUS_MAX); index += 1) names.add(`${gpuPrefix(nodeId)}${index}`);
  return [...names].sort();
}

/** What else a Pod's annotation has was not written by the agent. */
function gpusInUse(nodeId: string, ownPods: readonly Pod[]): ReadonlySet<string> {
  const names = ownPods.flatMap(({ metadata }) => (metadata.annotations?.[ANNOTATIONS.gpus] ?? "").split(","));
  return new Set(names.filter((name) => isGpuName(nodeId, name)));
}

function gpuPrefix(nodeId: string): string {
  return `kubernetes-${nodeId}-`;
}

function isGpuName(nodeId: string, name: string): boolean {
  const index = name.startsWith(gpuPrefix(nodeId)) ? name.slice(gpuPrefix(nodeId).length) : "";
  return /^(0|[1-9][0-9]{0,3})$/.test(index) && Number(index) < GPUS_MAX;
}

/** Of what model it is only where all nodes say the same. */
function gpuOf(uuid: string, nodes: readonly ClusterNode[]): Gpu {
  const memoryMib = Number(labelOfAll(nodes, MEMORY_LABEL));
  return {
    uuid,
    model: labelOfAll(nodes, MODEL_LABEL).replaceAll("-", " "),
    memoryBytes: Number.isSafeInteger(memoryMib) ? BigInt(memoryMib * MIB) : 0n,
    driverVersion: "",
    migProfile: "",
    pciId: "",
    parentUuid: "",
    computeCapability: "",
    unhealthyReason: "",
    speed: undefined,
  };
}

function labelOfAll(nodes: readonly ClusterNode[], name: string): string {
  const values = new Set(nodes.map(({ metadata }) => metadata.labels?.[name] ?? ""));
  return values.size === 1 ? ([...values][0] ?? "") : "";
}

function isUsable({ spec, status }: ClusterNode): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return spec?.unschedulable !== true && ready?.status === "True";
}

function isUsing({ spec, status }: Pod, nodes: ReadonlySet<string>): boolean {
  return status?.phase !== "Succeeded" && status?.phase !== "Failed" && nodes.has(spec?.nodeName ?? "");
}

/** Annotations are whoever's makes the Pod: they count only where the agent's own Pods are. */
function isOf({ metadata: { namespace: of, labels, annotations } }: Pod, { nodeId, namespace }: PodsOwner): boolean {
  return (
    of === namespace &&
    labels?.[LABELS.kind] === PROVER_KIND &&
    labels[LABELS.node] === labelValue(nodeId) &&
    annotations?.[ANNOTATIONS.node] === nodeId
  );
}

/** Containers that initialise a Pod run before its others, one after another. */
function requestOf({ spec }: Pod, resource: string): number {
  const of = (container: PodContainer): number =>
    parseQuantity(container.resources?.requests?.[resource] ?? container.resources?.limits?.[resource]);
  return Math.max(sum((spec?.containers ?? []).map(of)), ...(spec?.initContainers ?? []).map(of));
}

function amountOf({ status }: ClusterNode, resource: string): number {
  return parseQuantity(status?.allocatable?.[resource]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
