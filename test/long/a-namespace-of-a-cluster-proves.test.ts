/**
 * Agents whose node is a namespace of a Kubernetes cluster: a real API server, with a stand-in for scheduler and kubelet that
 * runs the Pods' containers on an engine of this machine.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentProcess, agentEnv, spawnAgent } from "@elastic/agent/testing/agent-process.ts";
import { makeTestCa, type TestCa } from "@elastic/agent/testing/certificates.ts";
import { eventually } from "@elastic/agent/testing/eventually.ts";
import { assignmentOf, startOf } from "@elastic/agent/testing/orders.ts";
import { failureOf, resultText } from "@elastic/agent/testing/outcomes.ts";
import { type ScriptedCoordinator, scriptCoordinator } from "@elastic/agent/testing/scripted-coordinator.ts";
import type { Pod } from "@elastic/agent/workloads/kubernetes/pod.ts";
import { publishImage } from "@elastic/deploy/local/image.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { WorkloadPhase, type WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import Docker from "dockerode";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Engine, startEngine } from "../cluster/engine.ts";
import { type KubeApiserver, startKubeApiserver, whyNoKubeApiserver } from "../cluster/kubernetes/kube-apiserver.ts";
import { type StandInKubelet, startStandInKubelet } from "../cluster/kubernetes/stand-in-kubelet.ts";
import { type Registry, startRegistry } from "../cluster/registry.ts";
import { makeWorkFolder, type WorkFolder } from "../cluster/work-folder.ts";

const NAMESPACE = "elastic-provers";
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const AGENT_USER = `system:serviceaccount:${NAMESPACE}:elastic-agent`;
const ALLOCATABLE = { cpu: "4", memory: "8Gi", pods: "110", "nvidia.com/gpu": "2" };
const API_SERVER_AWAY_MS = 20_000;

interface NodeUnderTest {
  readonly coordinator: ScriptedCoordinator;
  agent: AgentProcess;
  readonly start: () => AgentProcess;
}

let folder: WorkFolder;
let engine: Engine;
let registry: Registry;
let server: KubeApiserver;
let kubelet: StandInKubelet;
let image: string;
let ca: TestCa;
let first: NodeUnderTest;
let assignments = 0;

const missing = whyNoKubeApiserver();

beforeAll(async () => {
  if (missing !== null) throw new Error(missing);
  folder = makeWorkFolder();
  ca = makeTestCa(join(folder.path, "ca"));
  [engine, registry, server] = await Promise.all([startEngine(), startRegistry(), startKubeApiserver([AGENT_USER])]);
  const docker = new Docker({ socketPath: engine.socket });
  const reference = await publishImage(engine.socket, { name: "misbehave", registryHost: registry.host, tag: "test" });
  image = (await docker.getImage(reference).inspect()).RepoDigests[0] ?? "";
  const { admin } = server;
  // The strictest profile that a cluster can enforce: a Pod that does not meet it is refused.
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await admin.create("/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: NAMESPACE, labels },
  });
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  await admin.create(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, account);
  await applyManifests();
  kubelet = await startStandInKubelet({
    ...{ admin, engineSocket: engine.socket, namespace: NAMESPACE, nodeName: "worker" },
    ...{ allocatable: ALLOCATABLE, tls: ca.server(), folder: folder.path },
  });
  first = await startNode("n1");
}, 300_000);

afterAll(async () => {
  await first?.agent.kill();
  first?.coordinator.kill();
  await kubelet?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await registry?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
}, 120_000);

afterEach(async () => {
  first.coordinator.assign([]);
  kubelet.schedules = true;
  await eventually("an empty namespace", async () => (await pods()).length === 0 || undefined, 60_000);
});

interface Manifest {
  readonly kind: string;
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  Role: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/roles`,
  RoleBinding: `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}/rolebindings`,
  ClusterRole: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  ClusterRoleBinding: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  PersistentVolumeClaim: `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`,
  Deployment: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
};

function manifests(name: string): readonly Manifest[] {
  const text = readFileSync(inRepository("deploy", "kubernetes", name), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** As an operator does, and with every field looked at. */
async function applyManifests(): Promise<void> {
  for (const manifest of ["rbac.yaml", "capacity.yaml", "agent.yaml"].flatMap(manifests)) {
    await server.admin.create(`${COLLECTIONS[manifest.kind]}?fieldValidation=Strict`, manifest);
  }
}

async function startNode(nodeId: string): Promise<NodeUnderTest> {
  const coordinator = await scriptCoordinator(ca.server(), { logBytesMax: 1024 * 1024 });
  const env = {
    ...agentEnv(ca.node(nodeId), coordinator.address, join(folder.path, `state-${nodeId}`)),
    ELASTIC_WORKLOADS: "kubernetes",
    ELASTIC_KUBERNETES_CONFIG: server.kubeconfig(AGENT_USER, NAMESPACE),
  };
  const start = () => spawnAgent(env);
  const agent = start();
  await coordinator.linked();
  return { coordinator, agent, start };
}

async function pods(): Promise<readonly Pod[]> {
  return (await server.admin.get<{ readonly items: readonly Pod[] }>(PODS)).items;
}

async function podOf(assignmentId: string): Promise<string> {
  return await eventually(`the Pod of ${assignmentId}`, async () => {
    const found = (await pods()).find(({ metadata }) => metadata.labels?.["elastic.io/assignment"] === assignmentId);
    return found?.metadata.name;
  });
}

type More = Parameters<typeof assignmentOf>[1];

function assign(env: Record<string, string>, more: More = {}, of = image): string {
  assignments += 1;
  const assignmentId = `a${assignments}`;
  first.coordinator.assign([assignmentOf(of, { assignmentId, env, ...more })]);
  return assignmentId;
}

async function ready(env: Record<string, string>, more: More = {}): Promise<string> {
  const assignmentId = assign(env, more);
  await first.coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_READY);
  return assignmentId;
}

function failedStart(assignmentId: string): Promise<WorkloadReport> {
  return first.coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_FAILED);
}

function order(assignmentId: string, input: string, more: Parameters<typeof startOf>[1] = {}): Promise<AttemptReport> {
  const start = startOf(input, { assignmentId, runTimeoutMs: 120_000, ...more });
  first.coordinator.start([start]);
  return eventually(
    `the report of ${start.taskId}`,
    () => first.coordinator.reports.find(({ attempt }) => attempt?.taskId === start.taskId),
    120_000,
  );
}

async function restartKilled(): Promise<void> {
  await first.agent.kill("SIGKILL");
  const hellos = first.coordinator.hellos.length;
  first.agent = first.start();
  await eventually("the next hello", () => first.coordinator.hellos.length > hellos || undefined, 60_000);
}

test("offers the cluster's free GPUs as its slots, and proves with one of them", async () => {
  const { inventory } = (first.coordinator.hellos.at(-1) ?? {}) as { readonly inventory?: object };
  expect(inventory).toMatchObject({
    slots: 2,
    gpus: [{ uuid: "kubernetes-n1-0" }, { uuid: "kubernetes-n1-1" }],
    containerEngine: { name: "kubernetes" },
    cpuCores: 4,
    shells: false,
  });
  const input = '{"n":12345678901234567890}';
  const assignmentId = await ready({ MISBEHAVE: "echo", PRICE: "$(PORT) $$" }, { gpuUuids: ["kubernetes-n1-0"] });
  expect(resultText(await order(assignmentId, input))).toBe(input);
  const [pod] = await pods();
  expect(pod).toMatchObject({
    spec: {
      automountServiceAccountToken: false,
      dnsPolicy: "None",
      containers: [{ image, resources: { limits: { "nvidia.com/gpu": "1" }, requests: { "nvidia.com/gpu": "1" } } }],
    },
    // Request and limit are one figure.
    status: { qosClass: "Guaranteed" },
  });
  const policies = await server.admin.get(`/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`);
  expect(policies).toMatchObject({
    items: [{ metadata: { name: "elastic-provers" }, spec: { policyTypes: ["Ingress", "Egress"] } }],
  });
});

test("starts nothing while a second policy permits provers egress, and names it", async () => {
  const policies = `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`;
  await server.admin.create(policies, {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "allow-all" },
    spec: { podSelector: {}, egress: [{}] },
  });
  const { failure } = await failedStart(assign({ MISBEHAVE: "echo" }));
  expect(failure).toMatchObject({ reason: "internal", message: expect.stringContaining("egress: allow-all") });
  await server.admin.delete(`${policies}/allow-all`);
  await ready({ MISBEHAVE: "echo" });
});

test("sends what the prover writes meanwhile as the log of its task", async () => {
  const assignmentId = await ready({ MISBEHAVE: "sleep" });
  const start = startOf('{"ms":1500,"lines":5}', { assignmentId });
  first.coordinator.start([start]);
  const log = await first.coordinator.log(start.taskId);
  expect(log.split("\n").filter((line) => line !== "").length).toBeGreaterThanOrEqual(5);
});

test("adopts its Pods after it was killed, and proves on with the same ones", async () => {
  const assignmentId = await ready({ MISBEHAVE: "echo" });
  const name = await podOf(assignmentId);
  await restartKilled();
  const reports = first.coordinator.workloads.length;
  first.coordinator.assign([assignmentOf(image, { assignmentId, env: { MISBEHAVE: "echo" } })]);
  await eventually("the adoption", () => {
    const newer = first.coordinator.workloads.slice(reports);
    return newer.find(({ phase }) => phase === WorkloadPhase.WORKLOAD_PHASE_READY);
  });
  expect(resultText(await order(assignmentId, '"again"'))).toBe("again");
  expect((await pods()).map(({ metadata }) => metadata.name)).toEqual([name]);
});

test("proves on while the API server is killed and away for 20 s", async () => {
  const assignmentId = await ready({ MISBEHAVE: "sleep" });
  const name = await podOf(assignmentId);
  const killedAt = performance.now();
  const proof = order(assignmentId, `{"ms":${API_SERVER_AWAY_MS}}`);
  await server.kill();
  expect(resultText(await proof)).toBe("slept");
  expect(performance.now() - killedAt).toBeGreaterThanOrEqual(API_SERVER_AWAY_MS);
  // Also what begins and ends meanwhile.
  expect(resultText(await order(assignmentId, '{"ms":1}'))).toBe("slept");
  await server.start();
  expect(resultText(await order(assignmentId, '{"ms":1}'))).toBe("slept");
  expect((await pods()).map(({ metadata }) => metadata.name)).toEqual([name]);
});

test("reports an image that is not there as image_unavailable, in the cluster's words", async () => {
  const { failure } = await failedStart(assign({}, {}, `${registry.host}/absent@sha256:${"0".repeat(64)}`));
  expect(failure).toMatchObject({ reason: "image_unavailable", message: expect.stringContaining("ErrImagePull") });
});

test("fails a task whose prover takes more memory than it has with out_of_memory, and starts another Pod", async () => {
  const assignmentId = await ready({ MISBEHAVE: "oom" });
  expect(failureOf(await order(assignmentId, "{}")).reason).toBe("out_of_memory");
  expect(failureOf(await order(assignmentId, "{}")).reason).toBe("out_of_memory");
});

test("fails a task whose prover dies of a fault with prover_error and its signal", async () => {
  const failure = failureOf(await order(await ready({ MISBEHAVE: "crash" }), "{}"));
  expect(failure).toMatchObject({ reason: "prover_error", message: expect.stringContaining("SIGSEGV") });
});

test("fails a task whose prover closes the connection and lives on with bad_output, and retains its Pod", async () => {
  const assignmentId = await ready({ MISBEHAVE: "nothing" });
  const [{ metadata }] = (await pods()) as readonly [Pod];
  for (const input of ["{}", "{}"]) expect(failureOf(await order(assignmentId, input)).reason).toBe("bad_output");
  expect(await podOf(assignmentId)).toBe(metadata.name);
});

test("takes an evicted Pod for no fault of its prover: the task costs no attempt", async () => {
  const assignmentId = await ready({ MISBEHAVE: "sleep" });
  const report = order(assignmentId, '{"ms":60000}');
  await first.coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_READY);
  const name = await podOf(assignmentId);
  await kubelet.evict(name);
  expect(failureOf(await report).reason).toBe("node_lost");
});

test("says for how long the cluster has had no room when a start takes too long", async () => {
  kubelet.schedules = false;
  const { failure } = await failedStart(assign({}, { startTimeoutMs: 4_000 }));
  expect(failure?.reason).toBe("start_timeout");
  expect(failure?.message).toMatch(/no room for the prover's Pod for \d+ s: 0\/1 nodes are available/);
});

test("ends a cancelled task's prover that does not stop, and starts another Pod", async () => {
  const assignmentId = await ready({ MISBEHAVE: "hang" });
  const name = await podOf(assignmentId);
  const failure = failureOf(await order(assignmentId, "{}", { runTimeoutMs: 500 }));
  expect(failure.reason).toBe("run_timeout");
  await eventually("another Pod", async () => {
    const names = (await pods()).map(({ metadata }) => metadata.name);
    return (names.length === 1 && !names.includes(name)) || undefined;
  });
});

test("removes what its earlier process left and nobody assigned, and leaves another agent's Pods alone", async () => {
  const other = await startNode("n2");
  try {
    other.coordinator.assign([assignmentOf(image, { assignmentId: "b1", env: { MISBEHAVE: "echo" } })]);
    await other.coordinator.workload("b1", WorkloadPhase.WORKLOAD_PHASE_READY);
    const theirs = await podOf("b1");
    const stray = await podOf(await ready({ MISBEHAVE: "echo" }));
    await restartKilled();
    first.coordinator.assign([]);
    await eventually("the stray's end", async () => {
      const names = (await pods()).map(({ metadata }) => metadata.name);
      return !names.includes(stray) || undefined;
    });
    expect((await pods()).map(({ metadata }) => metadata.name)).toEqual([theirs]);
    expect(other.coordinator.workloads.at(-1)).toMatchObject({ phase: WorkloadPhase.WORKLOAD_PHASE_READY });
  } finally {
    await other.agent.kill("SIGTERM");
    other.coordinator.kill();
  }
});

test("is granted exactly the requests that it made", () => {
  const all = server.requestsOf(AGENT_USER);
  // A server that has just started refuses everybody for a moment: nothing was refused for good.
  const made = all.filter(({ status }) => status !== 403);
  const refused = all.filter(({ status }) => status === 403).map(requestText);
  expect(refused.filter((request) => !made.map(requestText).includes(request))).toEqual([]);
  const inNamespace = new Set(made.filter(({ namespace }) => namespace !== "").map(requestText));
  const ofCluster = new Set(made.filter(({ namespace }) => namespace === "").map(requestText));
  expect([...inNamespace].sort()).toEqual(grantedBy("rbac.yaml", "Role"));
  expect([...ofCluster].sort()).toEqual(grantedBy("capacity.yaml", "ClusterRole"));
});

function requestText({ verb, apiGroup, resource }: { verb: string; apiGroup: string; resource: string }): string {
  return `${verb} ${apiGroup}/${resource}`;
}

function grantedBy(file: string, kind: string): readonly string[] {
  const rules = manifests(file).find((manifest) => manifest.kind === kind)?.rules ?? [];
  return rules
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((apiGroup) =>
        resources.flatMap((resource) => verbs.map((verb) => requestText({ verb, apiGroup, resource }))),
      ),
    )
    .sort();
}
