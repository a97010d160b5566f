/** How the agent is, as `elastic-agent status` shows it. */
import { machineScore } from "@elastic/proto/score.ts";
import type { DiskKeeper } from "../disks/keep-disks.ts";
import { AGENT_VERSION } from "../domain/agent-version.ts";
import type { DrainOrders } from "../drain/drain-orders.ts";
import type { Links } from "../link/links.ts";
import { type AgentStatus, gpuStatus, workloadStatus } from "../status/agent-status.ts";
import type { Engine } from "../workloads/docker/engine.ts";
import type { Machine } from "./machine.ts";
import type { Node } from "./open-node.ts";
import type { Work } from "./start-work.ts";

export interface StatusParts {
  readonly machine: Machine;
  readonly work: Work;
  readonly disks: Pick<DiskKeeper, "pressure">;
  readonly links: Links;
  readonly drains: DrainOrders;
  /** `host:port`. */
  readonly metrics: string;
  readonly outcomesSpooled: () => number;
}

/** The agent's uptime counts from this call. */
export function statusReader({ config, nodeId, sessionId, clock }: Node, parts: StatusParts): () => AgentStatus {
  const { machine, work, disks, links, drains, metrics, outcomesSpooled } = parts;
  const { engine, cluster, builtins, gpus, speeds } = machine;
  const startedAt = clock.monotonicMs();
  return () => ({
    nodeId,
    version: AGENT_VERSION,
    sessionId,
    uptimeSeconds: (clock.monotonicMs() - startedAt) / 1000,
    metrics,
    engine: clusterText(cluster) ?? engineText(engine.engine()),
    builtinProvers: builtins.provers,
    sandbox: builtins.sandbox,
    slots: machine.inventory().slots,
    labels: config.labels,
    drain: drains.status(),
    diskPressure: disks.pressure(),
    score: machineScore(
      speeds.of(null),
      gpus.list().map(({ uuid }) => speeds.of(uuid)),
    ),
    gpus: gpus.list().map(gpuStatus),
    links: links.status(),
    workloads: work.reconciler.workloads().map(workloadStatus),
    attemptsRunning: work.attempts.running(),
    outcomesPending: work.outbox.size(),
    outcomesSpooled: outcomesSpooled(),
  });
}

function clusterText(cluster: Machine["cluster"]): string | null {
  if (cluster === null) return null;
  const version = cluster.version() ?? "of an unknown version";
  const away = cluster.responds() ? "" : " (its API server does not respond)";
  return `kubernetes ${version}, namespace ${cluster.client.namespace}${away}`;
}

function engineText(engine: Engine | null): string | null {
  return engine === null ? null : `${engine.name} ${engine.version}`;
}
