import { expect, test } from "vitest";
import { type ClusterUse, capacityOf } from "./capacity.ts";
import type { ClusterNode, Pod } from "./pod.ts";
import { ANNOTATIONS, LABELS } from "./pod-labels.ts";
import { parseQuantity } from "./quantity.ts";

const SETTING = { gpuResource: "nvidia.com/gpu", gpus: null };

const node = (name: string, gpus: number, more: Partial<ClusterNode> = {}): ClusterNode => ({
  metadata: { name, labels: { "nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.memory": "23034" } },
  status: {
    allocatable: { cpu: "7910m", memory: "16Gi", "nvidia.com/gpu": `${gpus}` },
    conditions: [{ type: "Ready", status: "True" }],
  },
  ...more,
});
const OWNER = { nodeId: "n", namespace: "provers" };
const OWN_LABELS = { [LABELS.kind]: "prover", [LABELS.node]: "n" };
const pod = (
  nodeName: string,
  gpus: number,
  annotations: Record<string, string> = {},
  phase = "Running",
  where: Pick<Pod["metadata"], "namespace" | "labels"> = { namespace: "provers", labels: OWN_LABELS },
): Pod => ({
  metadata: { name: "p", annotations, ...where },
  spec: { nodeName, containers: [{ resources: { limits: { "nvidia.com/gpu": `${gpus}` } } }] },
  status: { phase },
});
const gpusOf = (use: Partial<ClusterUse>, gpus: number | null = null) =>
  capacityOf(OWNER, { ...SETTING, gpus }, { nodes: null, allPods: null, ownPods: [], ...use }).gpus.map(
    ({ uuid }) => uuid,
  );

test("has the GPUs of ready nodes that no Pod of others requested", () => {
  const unready = node("c", 8, { status: { conditions: [{ type: "Ready", status: "False" }] } });
  const nodes = [node("a", 2), node("b", 2), node("d", 8, { spec: { unschedulable: true } }), unready];
  const allPods = [pod("a", 1), pod("b", 1, {}, "Succeeded"), pod("elsewhere", 4)];
  expect(gpusOf({ nodes, allPods })).toEqual(["kubernetes-n-0", "kubernetes-n-1", "kubernetes-n-2"]);
});

test("counts its own Pods' GPUs as its own, and retains their names when others take the rest", () => {
  const own = pod("a", 1, { [ANNOTATIONS.node]: "n", [ANNOTATIONS.gpus]: "kubernetes-n-3" });
  const use = { nodes: [node("a", 4)], ownPods: [own] };
  expect(gpusOf({ ...use, allPods: [own] })).toHaveLength(4);
  expect(gpusOf({ ...use, allPods: [own, pod("a", 3)] })).toEqual(["kubernetes-n-3"]);
});

test.each([
  ["of another namespace", { namespace: "training", labels: OWN_LABELS }],
  ["without a namespace", { labels: OWN_LABELS }],
  ["that is no prover", { namespace: "provers", labels: { ...OWN_LABELS, [LABELS.kind]: "agent" } }],
  ["of another node's label", { namespace: "provers", labels: { ...OWN_LABELS, [LABELS.node]: "m" } }],
  ["without labels", { namespace: "provers" }],
])("counts the GPUs of a Pod %s as taken, whatever its annotations are", (_, where) => {
  const other = pod("a", 4, { [ANNOTATIONS.node]: "n" }, "Running", where);
  expect(gpusOf({ nodes: [node("a", 4)], allPods: [other] })).toEqual([]);
});

test("takes from an annotation only names that the agent gives", () => {
  const forged = [
    "GPU-0",
    "kubernetes-m-0",
    "kubernetes-n-01",
    "kubernetes-n-1024",
    "kubernetes-n--1",
    "kubernetes-n-",
  ];
  const many = Array.from({ length: 5000 }, (_, index) => `kubernetes-n-${index}`);
  const annotations = { [ANNOTATIONS.gpus]: [...forged, "kubernetes-n-7"].join(",") };
  expect(gpusOf({ ownPods: [pod("a", 1, annotations)] })).toEqual(["kubernetes-n-7"]);
  expect(gpusOf({ ownPods: [pod("a", 1, { [ANNOTATIONS.gpus]: many.join(",") })] })).toHaveLength(1024);
});

test("has as many GPUs as are set where it may not read the cluster's nodes, and none without a setting", () => {
  expect(gpusOf({}, 2)).toEqual(["kubernetes-n-0", "kubernetes-n-1"]);
  expect(gpusOf({})).toEqual([]);
});

test("says what its nodes have, and a model only where all have the same", () => {
  const same = capacityOf(OWNER, SETTING, { nodes: [node("a", 1), node("b", 1)], allPods: [], ownPods: [] });
  expect(same).toMatchObject({ cpuCores: 7, memoryBytes: 32 * 2 ** 30, slots: 15 });
  expect(same.gpus[0]).toMatchObject({ model: "NVIDIA L4", memoryBytes: BigInt(23_034 * 2 ** 20) });
  const mixed = [node("a", 1), node("b", 1, { metadata: { name: "b", labels: {} } })];
  expect(capacityOf(OWNER, SETTING, { nodes: mixed, allPods: [], ownPods: [] }).gpus[0]?.model).toBe("");
});

test.each([
  ["500m", 0.5],
  ["2", 2],
  ["1.5Gi", 1.5 * 2 ** 30],
  ["1e3", 1_000],
  ["12E", 12e18],
  ["two", 0],
  [undefined, 0],
])("reads the amount %s as %s", (text, amount) => {
  expect(parseQuantity(text)).toBe(amount);
});
