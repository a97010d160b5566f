/** Records for tests: complete and plausible, with what a test cares about given. */

import { newId } from "@elastic/std/ids.ts";
import { type AgentUpgrade, CURRENT_UPGRADE } from "../agent-upgrade.ts";
import type { Assignment, BuildAssignment, DeploymentAssignment, ShellAssignment, Workload } from "../assignment.ts";
import { type Build, newBuild } from "../build.ts";
import { type Delivery, newDelivery } from "../delivery.ts";
import type { Deployment, Resources } from "../deployment.ts";
import type { Node, NodeGpu, NodeInventory } from "../node.ts";
import type { Pool } from "../pool.ts";
import { type PoolMachine, requestMachine } from "../pool-machine.ts";
import type { PoolToken } from "../pool-token.ts";
import { deploy, newService, rolledOut, type Service } from "../service.ts";
import { newShell, type Shell } from "../shell.ts";
import { type NewTask, queue, type Task } from "../task.ts";
import type { TaskBatch } from "../task-batch.ts";
import type { Webhook } from "../webhook.ts";

export const TEAM = newId(1);
export const USER = newId(2);

/** What a workload requires, without a GPU. */
const SMALL: Resources = {
  gpuCount: 0,
  gpuModel: null,
  gpuMemoryBytes: 0,
  cpuMillis: 1000,
  memoryBytes: 2 ** 28,
  pids: 64,
  tmpBytes: 2 ** 20,
};

type Given<T> = { readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] | Partial<T[K]> };

export function aDeployment(given: Given<Deployment> & { readonly serviceId: string }): Deployment {
  const { resources, scaling, limits, ...rest } = given;
  return {
    id: newId(3),
    teamId: TEAM,
    creatorId: USER,
    createdAt: 0,
    image: "builtin:echo",
    tag: "v1",
    verifierImage: null,
    volume: null,
    rollbackOf: null,
    sealedEnv: null,
    ...(rest as Partial<Deployment> & { serviceId: string }),
    resources: { ...SMALL, ...resources },
    scaling: { min: 0, max: 1, idleTimeoutMs: 60_000, targetQueueMs: 10_000, ...scaling },
    limits: {
      budgets: { queueMs: 3_600_000, startMs: 60_000, runMs: 60_000 },
      concurrency: 1,
      proverRetries: 0,
      ...limits,
    },
  };
}

/** A service whose deployment serves, and that deployment. */
export function aReadyService(given: Given<Omit<Deployment, "serviceId">> = {}): {
  readonly service: Service;
  readonly deployment: Deployment;
} {
  const bare = aNewService();
  const deployment = aDeployment({ ...given, serviceId: bare.id });
  return { service: rolledOut(deploy(bare, deployment.id)), deployment };
}

export function aNewService(): Service {
  return newService({ id: newId(4), teamId: TEAM, name: "prover", creatorId: USER, createdAt: 0 });
}

export function aTask(service: Pick<Service, "id">, given: Partial<NewTask> = {}): Task {
  const createdAt = given.createdAt ?? 1_000;
  return queue({
    id: newId(createdAt),
    teamId: TEAM,
    serviceId: service.id,
    serviceName: "prover",
    creatorId: USER,
    createdAt,
    requestId: "request-1",
    input: { bytes: 2, sha256: "0".repeat(64), where: "store" },
    budgets: { queueMs: 3_600_000, startMs: 60_000, runMs: 60_000 },
    priority: 0,
    proverRetries: 0,
    ...given,
  });
}

/** To 2.0.0, three nodes at a time. */
export function anAgentUpgrade(given: Partial<AgentUpgrade> = {}): AgentUpgrade {
  return {
    id: CURRENT_UPGRADE,
    orderId: "1",
    version: "2.0.0",
    rollbackFrom: null,
    before: "1.0.0",
    enrollmentAddress: "c:8444",
    batchSize: 3,
    nodeWithinMs: 900_000,
    startedAt: 0,
    state: { kind: "running" },
    through: null,
    batch: [],
    batchSince: 0,
    ...given,
  };
}

/** Of three inputs, none of which has become a task. */
export function aBatch(service: Pick<Service, "id">, given: Partial<TaskBatch> = {}): TaskBatch {
  const { attempts, avoidNodeIds, phase, timeline, input, ...begun } = aTask(service);
  return { ...begun, count: 3, created: 0, body: input, inputsAt: { start: 0, end: 7 }, ...given };
}

export function aNode(id: string, given: Partial<NodeInventory> & { readonly node?: Partial<Node> } = {}): Node {
  const { node, ...inventory } = given;
  return {
    id,
    inventory: {
      hostname: id,
      cpuCores: 4,
      memoryBytes: 2 ** 34,
      gpus: [],
      slots: 4,
      labels: {},
      engine: null,
      builtinProvers: ["echo"],
      shells: true,
      ...inventory,
    },
    agentVersion: "0.1.0",
    state: "ready",
    since: 0,
    sessionId: `session-of-${id}`,
    ...node,
  };
}

export function aGpu(uuid: string, given: Partial<NodeGpu> = {}): NodeGpu {
  return {
    uuid,
    model: "NVIDIA H100 80GB HBM3",
    memoryBytes: 80 * 2 ** 30,
    driverVersion: "570.1",
    migProfile: "",
    pciId: "00000000:01:00.0",
    parentUuid: "",
    computeCapability: "9.0",
    unhealthyReason: null,
    ...given,
  };
}

export function anAssignment(
  deployment: Pick<Deployment, "id" | "serviceId">,
  nodeId: string,
  given: Partial<DeploymentAssignment> = {},
): DeploymentAssignment {
  return {
    id: newId(5),
    nodeId,
    teamId: TEAM,
    slots: 1,
    gpuUuids: [],
    createdAt: 0,
    workload: { kind: "deployment", deploymentId: deployment.id, serviceId: deployment.serviceId },
    ...given,
  };
}

export function aShell(given: Partial<Shell> = {}): Shell {
  const shell = newShell({
    id: newId(8),
    teamId: TEAM,
    creatorId: USER,
    createdAt: 0,
    name: "shell",
    imageName: "base",
    image: "registry.example/shell@sha256:0",
    resources: SMALL,
    homeBytes: 2 ** 26,
    scratchBytes: 2 ** 26,
    sealedPassword: "sealed",
    longestLifeMs: 86_400_000,
    idleStopMs: null,
  });
  return { ...shell, ...given };
}

export function aShellAssignment(
  shell: Pick<Shell, "id">,
  nodeId: string,
  given: Partial<ShellAssignment> = {},
): ShellAssignment {
  return {
    id: newId(9),
    nodeId,
    teamId: TEAM,
    slots: 1,
    gpuUuids: [],
    createdAt: 0,
    workload: { kind: "shell", shellId: shell.id, purpose: "run" },
    ...given,
  };
}

export function aBuild(given: Partial<Build> = {}): Build {
  const build = newBuild({
    id: newId(Date.now()),
    teamId: TEAM,
    serviceId: newId(4),
    creatorId: USER,
    createdAt: 0,
    source: { kind: "archive", sha256: "a".repeat(64), bytes: 100 },
    settings: { baseDir: "", buildFile: "Dockerfile", target: "", buildArgs: {} },
    origin: null,
    release: null,
    noCache: false,
    repository: `registry.example/${TEAM}/prover`,
    tag: "v1",
    identity: "1".repeat(64),
    retryOf: null,
  });
  return { ...build, ...given };
}

export function aBuildAssignment(build: Build, nodeId: string, id = newId(Date.now())): BuildAssignment {
  const workload = { kind: "build", buildId: build.id } as const;
  return { id, nodeId, teamId: build.teamId, slots: 0, gpuUuids: [], createdAt: 0, workload };
}

export function aWorkload(assignment: Assignment, given: Partial<Workload> = {}): Workload {
  return {
    assignmentId: assignment.id,
    nodeId: assignment.nodeId,
    phase: "ready",
    step: null,
    bytes: 0,
    since: 0,
    failure: null,
    ...given,
  };
}

export function aWebhook(service: Pick<Service, "id">, given: Partial<Webhook> = {}): Webhook {
  return {
    id: newId(6),
    teamId: TEAM,
    serviceId: service.id,
    creatorId: USER,
    createdAt: 0,
    name: "hook",
    url: "https://hooks.example/",
    types: null,
    state: { kind: "enabled" },
    secrets: [{ sealed: "sealed", endsAt: null }],
    ...given,
  };
}

export function aDelivery(webhook: Webhook, given: Partial<Parameters<typeof newDelivery>[2]> = {}): Delivery {
  const createdAt = given.createdAt ?? 1_000;
  const event = { type: "task.succeeded" as const, subjectId: newId(7), createdAt, ...given };
  return newDelivery(newId(createdAt), webhook, event);
}

export function aPool(given: Given<Pool> = {}): Pool {
  const { offer, ...rest } = given;
  return {
    id: "h100",
    createdAt: 0,
    min: 0,
    max: 4,
    warmSpare: 0,
    cooldownMs: 300_000,
    bootMs: 600_000,
    costPerHour: 2,
    budgetPerHour: null,
    budgetPerDay: null,
    driver: { kind: "command", name: "cloud" },
    stopped: null,
    resumedAt: null,
    ...(rest as Partial<Pool>),
    offer: {
      gpuType: "NVIDIA H100 80GB HBM3",
      gpuCount: 1,
      gpuMemoryBytes: 80 * 2 ** 30,
      slots: 1,
      cpuCores: 4,
      memoryBytes: 2 ** 34,
      labels: {},
      containers: false,
      builtinProvers: ["echo"],
      shells: false,
      ...offer,
    },
  };
}

export function aPoolMachine(pool: Pick<Pool, "id" | "costPerHour">, given: Partial<PoolMachine> = {}): PoolMachine {
  const { requestedAt = 0 } = given;
  const of = { poolId: pool.id, costPerHour: pool.costPerHour, id: newId(requestedAt) };
  return { ...requestMachine(of, requestedAt), ...given };
}

export function aPoolToken(pool: Pick<Pool, "id">, given: Partial<PoolToken> = {}): PoolToken {
  const times = { createdAt: 0, expiresAt: 86_400_000 };
  return {
    id: newId(10),
    poolId: pool.id,
    secretSha256: "",
    creatorId: null,
    ...times,
    usesMax: 10,
    uses: 0,
    ...given,
  };
}
