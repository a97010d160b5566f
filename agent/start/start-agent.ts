/** Starts the agent: the parts of each stage are made from those before it, and stopped in reverse. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NodeReport } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { listenFor } from "@elastic/std/net/listen-error.ts";
import { listenForMetrics } from "@elastic/std/net/metrics-listener.ts";
import { openTracing } from "@elastic/std/tracing/open-tracing.ts";
import { openSpool } from "../attempts/spool.ts";
import type { AgentConfig } from "../config/config.ts";
import { AGENT_VERSION } from "../domain/agent-version.ts";
import { drainOrders } from "../drain/drain-orders.ts";
import { type Renewal, startRenewal } from "../enrollment/renewal.ts";
import { wireHealth, wireReading } from "../gpus/wire-gpu.ts";
import type { Bulk } from "../link/bulk.ts";
import { type Channels, channelsOf } from "../link/channel.ts";
import { startHeartbeats } from "../link/heartbeats.ts";
import { createLinks, type Links } from "../link/links.ts";
import { requestRenewal } from "../link/request-renewal.ts";
import { openTunnelStream } from "../link/tunnel-channels.ts";
import { TunnelSockets } from "../link/tunnel-sockets.ts";
import { serveStatus } from "../status/status-socket.ts";
import { createTunnels } from "../tunnels/tunnels.ts";
import { actOnOrders, startDetached } from "../upgrade/act-on-order.ts";
import { findLayout, OWN_PACKAGE, orderableRollback } from "../upgrade/layout.ts";
import { workloadReport } from "../workloads/workload-report.ts";
import { createMetrics } from "./create-metrics.ts";
import { limitsOfWelcome } from "./limits-of-welcome.ts";
import { type MachineNews, surveyMachine } from "./machine.ts";
import { openDisks } from "./open-disks.ts";
import { openDrivers, openLedger } from "./open-drivers.ts";
import { type Node, openNode } from "./open-node.ts";
import { openSupplies } from "./open-supplies.ts";
import { statusReader } from "./read-status.ts";
import { receiveMessages } from "./receive-messages.ts";
import { startWork } from "./start-work.ts";
import { writeHello } from "./write-hello.ts";

export interface Agent {
  readonly nodeId: string;
  /** `host:port` of the metrics. */
  readonly metrics: string;
  /** Cancels attempts, ends workloads, and puts what was not acknowledged on disk. */
  stop(): Promise<void>;
}

const SPOOL_LIMITS = { outcomesMax: 10_000 };

export async function startAgent(config: AgentConfig, clock: Clock, log: Logger): Promise<Agent> {
  await using starting = new AsyncDisposableStack();
  // Status and metrics respond until all else has stopped.
  const statusStopping = starting.use(new AsyncDisposableStack());
  const metricsStopping = starting.use(new AsyncDisposableStack());
  const stopping = starting.use(new AsyncDisposableStack());

  const node = await openNode(config, clock, log);
  const { nodeId, socketDir } = node;
  const ledger = openLedger(node);
  // Once all that it records has ended.
  stopping.defer(() => ledger?.close());
  const spool = await openSpool(join(config.stateDir, "spool"), SPOOL_LIMITS, log);
  const outcomesSpooled = () => spool.size();
  const channels = channelsOf(config.tls);
  const heartbeats = startHeartbeats({ files: config.tls, clock, log });
  stopping.defer(() => heartbeats.stop());
  const links = createLinks({ addresses: config.coordinators, channels, heartbeats, random: Math.random, clock, log });
  const supplies = await openSupplies(node, channels, links, stopping);

  // Called once the keepers run, which is after all parts have been made.
  const news: MachineNews = {
    gpus: {
      // A GPU that appeared is reported with the next hello, its health at once.
      onChange: (what) => (what === "gpus" ? links.renew() : links.sendNode(nodeReport())),
      onXid: (gpu, xid) => gpuInstruments.onXid(gpu, xid),
    },
    // Containers that an engine has brought back are inspected as soon as it responds.
    engine: { onChange: () => links.renew(), onAvailable: () => work.reconciler.look() },
    cluster: { onChange: () => links.renew() },
    speeds: { onMeasured: () => links.renew() },
  };
  const machine = await surveyMachine(node, news, stopping);
  const { gpus, engine } = machine;
  const nodeReport = (): NodeReport => ({
    gpus: gpus.list().map(wireHealth),
    drainWanted: undefined,
    stopShells: false,
    spot: false,
  });

  const limits = limitsOfWelcome();
  const drivers = openDrivers(node, machine, supplies, () => disks.pressure(), ledger);
  const tracing = await openTracing({
    endpoint: config.otlpEndpoint,
    service: { name: "elastic-agent", version: AGENT_VERSION, instance: nodeId },
    counts: { exported: (n) => instruments.spans.exported(n), dropped: (n, why) => instruments.spans.dropped(n, why) },
  });
  // After the work that it is about has been stopped.
  metricsStopping.defer(() => tracing.stop());
  const workParts = { drivers, supplies, spool, limits, links, instruments: () => instruments, tracing };
  const work = await startWork(node, workParts, stopping);
  const disks = await openDisks(node, { machine, supplies, work }, () => links.renew());
  stopping.defer(() => disks.stop());
  const parts = { machine, supplies, work, disks, links, outcomesSpooled };
  const { instruments, gpuInstruments } = createMetrics(node, parts);

  const drains = drainOrders((order) => links.sendNodeToOne({ ...order, gpus: [] }));
  const layout = findLayout(OWN_PACKAGE);
  const onOrder = actOnOrders({
    stateDir: config.stateDir,
    version: AGENT_VERSION,
    command: config.upgradeCommand,
    isUnderSystemd: existsSync("/run/systemd/system"),
    rollbackTarget: () => (layout === null ? null : orderableRollback(layout, Date.now())),
    start: startDetached(log),
    log,
  });
  const tunnelSockets = new TunnelSockets(config.tls);
  const tunnels = createTunnels({
    docker: () => engine.engine()?.docker ?? null,
    nodeId,
    open: (address) => openTunnelStream(channels, address),
    connect: (address, tunnelId) => tunnelSockets.open(address, tunnelId),
    log,
  });
  stopping.defer(() => tunnels.stop());

  const metrics = await listenFor(
    "ELASTIC_METRICS_LISTEN",
    listenForMetrics({ source: instruments.registry, listen: config.metricsListen, log }),
  );
  metricsStopping.defer(() => metrics.stop());

  const messages = receiveMessages({
    work,
    ...supplies,
    drains,
    limits,
    reportWorkload: (workload) => links.sendWorkload(workloadReport(workload)),
    reportGpus: () => {
      if (gpus.list().length > 0) links.sendNode(nodeReport());
    },
  });
  stopping.defer(() => links.stop());
  const renewal = config.isEnrolled ? renewCertificate(node, { channels, links, bulk: supplies.bulk }, stopping) : null;
  links.open({
    hello: () => writeHello(node, parts),
    endedBefore: (storeEpoch) => work.ended.before(storeEpoch),
    onEndedNoted: (attempts) => work.ended.drop(attempts),
    gpuReadings: () => gpus.list().map(wireReading),
    ...messages,
    onNodeState: (state) => {
      drains.onNodeState(state);
      onOrder(state.upgrade);
    },
    onOpenTunnel: tunnels.onOpen,
    onRenewalWanted: () => renewal?.hasten(),
    onUnlinked: () => work.outbox.onUnlinked(),
    onFenced: () => {
      instruments.onFenced();
      work.attempts.fence();
    },
  });
  machine.run();

  const read = statusReader(node, { ...parts, drains, metrics: metrics.address });
  const status = await serveStatus(socketDir, { read, order: drains.order });
  statusStopping.defer(() => status.stop());

  const running = starting.move();
  return { nodeId, metrics: metrics.address, stop: () => running.disposeAsync() };
}

function renewCertificate(
  { config, clock, log }: Node,
  { channels, links, bulk }: { readonly channels: Channels; readonly links: Links; readonly bulk: Bulk },
  stopping: AsyncDisposableStack,
): Renewal {
  const renewal = startRenewal({
    files: config.tls,
    request: requestRenewal(channels, () => links.bulkAddress() ?? config.coordinators[0] ?? null),
    onRenewed: () => {
      links.renew();
      bulk.renew();
    },
    random: Math.random,
    clock,
    log,
  });
  stopping.defer(() => renewal.stop());
  return renewal;
}
