/**
 * The fields without which nothing can be decided about a record, each with its type: by which it is found, placed, ended, allowed or
 * removed. Every version has written them. A record that lacks one was damaged, or written by hand: it is not read at all, since what
 * is absent would be taken for a default, or for an end.
 */
import type { RecordKind } from "./keys.ts";

export type FieldType = "text" | "text or null" | "number" | "number or null" | "list" | "object";

/** By path. */
type Fields = Readonly<Record<string, FieldType>>;

/** Further ones of a record by the value of one of its fields. */
export interface FieldsByValue {
  readonly of: string;
  readonly fields: Readonly<Record<string, Fields>>;
}

const IDENTIFIED: Fields = { id: "text", createdAt: "number" };
const OF_TEAM: Fields = { ...IDENTIFIED, teamId: "text" };
const OF_SERVICE: Fields = { ...OF_TEAM, serviceId: "text" };
const RESOURCES: Fields = {
  "resources.gpuCount": "number",
  "resources.gpuModel": "text or null",
  "resources.gpuMemoryBytes": "number",
  "resources.cpuMillis": "number",
  "resources.memoryBytes": "number",
};

export const DECIDING_FIELDS: Partial<Record<RecordKind, Fields>> = {
  tasks: {
    ...OF_SERVICE,
    "phase.kind": "text",
    "input.bytes": "number",
    "input.sha256": "text",
    "input.where": "text",
    "budgets.queueMs": "number",
    "budgets.startMs": "number",
    "budgets.runMs": "number",
    priority: "number",
    proverRetries: "number",
    "attempts.started": "number",
    "attempts.infrastructure": "number",
    "attempts.lost": "number",
    "attempts.prover": "number",
    avoidNodeIds: "list",
    timeline: "list",
  },
  services: {
    ...OF_TEAM,
    name: "text",
    "state.kind": "text",
    currentDeploymentId: "text or null",
    nextDeploymentId: "text or null",
  },
  deployments: {
    ...OF_SERVICE,
    ...RESOURCES,
    image: "text",
    verifierImage: "text or null",
    "scaling.min": "number",
    "scaling.max": "number",
    "scaling.idleTimeoutMs": "number",
    "scaling.targetQueueMs": "number",
    "limits.concurrency": "number",
    "limits.proverRetries": "number",
    "limits.budgets.queueMs": "number",
    "limits.budgets.startMs": "number",
    "limits.budgets.runMs": "number",
  },
  "roll-outs": { events: "list" },
  volumes: OF_TEAM,
  shells: {
    ...OF_TEAM,
    ...RESOURCES,
    image: "text",
    longestLifeMs: "number",
    idleStopMs: "number or null",
    nodeId: "text or null",
    runSince: "number",
    usedAt: "number",
    "state.kind": "text",
    "state.since": "number",
  },
  builds: {
    ...OF_SERVICE,
    runs: "number",
    startedAt: "number or null",
    stages: "list",
    nodeId: "text or null",
    "state.kind": "text",
    "state.since": "number",
  },
  nodes: {
    id: "text",
    state: "text",
    since: "number",
    sessionId: "text",
    "inventory.slots": "number",
    "inventory.cpuCores": "number",
    "inventory.memoryBytes": "number",
    "inventory.gpus": "list",
    "inventory.labels": "object",
    "inventory.builtinProvers": "list",
  },
  assignments: { ...OF_TEAM, nodeId: "text", slots: "number", gpuUuids: "list", "workload.kind": "text" },
  workloads: { assignmentId: "text", nodeId: "text", phase: "text", since: "number" },
  teams: IDENTIFIED,
  users: IDENTIFIED,
  memberships: { userId: "text", teamId: "text", role: "text" },
  "access-keys": {
    ...IDENTIFIED,
    userId: "text",
    teamId: "text or null",
    defaultTeamId: "text",
    scopes: "list",
    secretSha256: "text",
    expiresAt: "number or null",
    revokedAt: "number or null",
  },
  webhooks: { ...OF_SERVICE, url: "text", secrets: "list", "state.kind": "text" },
  deliveries: { ...OF_SERVICE, webhookId: "text", type: "text", attempts: "list", "phase.kind": "text" },
  uploads: { ...IDENTIFIED, teamId: "text", sha256: "text", bytes: "number" },
  batches: {
    ...OF_SERVICE,
    count: "number",
    created: "number",
    "body.sha256": "text",
    "body.bytes": "number",
    "inputsAt.start": "number",
    "inputsAt.end": "number",
    "budgets.queueMs": "number",
    "budgets.startMs": "number",
    "budgets.runMs": "number",
    priority: "number",
    proverRetries: "number",
  },
};

export const DECIDING_BY_VALUE: Partial<Record<RecordKind, FieldsByValue>> = {
  tasks: {
    of: "phase.kind",
    fields: {
      queued: { "phase.since": "number" },
      running: {
        "phase.attempt": "number",
        "phase.nodeId": "text",
        "phase.sessionId": "text",
        "phase.assignmentId": "text",
        "phase.since": "number",
      },
      succeeded: { "phase.finishedAt": "number", "phase.result.bytes": "number", "phase.result.sha256": "text" },
      failed: { "phase.finishedAt": "number", "phase.failure.reason": "text" },
      cancelled: { "phase.finishedAt": "number", "phase.failure.reason": "text" },
      timed_out: { "phase.finishedAt": "number", "phase.failure.reason": "text" },
      expired: { "phase.finishedAt": "number", "phase.failure.reason": "text" },
    },
  },
  builds: {
    of: "state.kind",
    fields: { running: { "state.assignmentId": "text", "state.nodeId": "text" } },
  },
  assignments: {
    of: "workload.kind",
    fields: {
      deployment: { "workload.deploymentId": "text", "workload.serviceId": "text" },
      shell: { "workload.shellId": "text", "workload.purpose": "text" },
      build: { "workload.buildId": "text" },
    },
  },
};
