/**
 * The agent: wires links, attempts, workloads and metrics together, and takes them down in reverse. Everything it
 * is made of meets here and nowhere else.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Limits, Welcome } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { NodeReport } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { HELLO_ATTEMPTS_MAX } from "@elastic/proto/message-limits.ts";
import { machineScore } from "@elastic/proto/score.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { listenFor } from "@elastic/std/net/listen-error.ts";
import { listenForMetrics } from "@elastic/std/net/metrics-listener.ts";
import { type AttemptLimits, createAttempts } from "../attempts/attempts.ts";
import { startOutbox } from "../attempts/outbox.ts";
import { progressReports } from "../attempts/progress-reports.ts";
import { openSpool } from "../attempts/spool.ts";
import { openBuilds } from "../builds/builds.ts";
import { openBuilder } from "../builds/open-builder.ts";
import type { AgentConfig } from "../config/config.ts";
import { buildSpecOf } from "../domain/build-spec.ts";
import type { Driver } from "../domain/driver.ts";
import { specOf } from "../domain/workload-spec.ts";
import { drainOrders } from "../drain/drain-orders.ts";
import { readNodeIdentity } from "../enrollment/node-identity.ts";
import { startRenewal } from "../enrollment/renewal.ts";
import { guardGpus } from "../gpus/guard-gpus.ts";
import { wireHealth, wireReading } from "../gpus/wire-gpu.ts";
import { askRenewal } from "../link/ask-renewal.ts";
import { openBulk } from "../link/bulk.ts";
import { channelsOf } from "../link/channel.ts";
import { type Command, openLinks } from "../link/links.ts";
import { askPullRights } from "../link/pull-rights.ts";
import { openTunnelStream } from "../link/tunnel-channels.ts";
import { openAttemptLogs } from "../logs/attempt-logs.ts";
import { addGpuInstruments } from "../metrics/gpu-instruments.ts";
import { createInstruments } from "../metrics/instruments.ts";
import { startReconciler } from "../reconcile/apply.ts";
import { type AgentStatus, gpuStatus, workloadStatus } from "../status/agent-status.ts";
import { makeSocketDir } from "../status/socket-dir.ts";
import { refuseSecondAgent, serveStatus } from "../status/status-socket.ts";
import { createTunnels } from "../tunnels/tunnels.ts";
import { openVolumeCache } from "../volumes/volume-cache.ts";
import type { MountVolume } from "../workloads/docker/bring-in.ts";
import { type DockerDriverOptions, dockerDriver } from "../workloads/docker/docker-driver.ts";
import type { Engine } from "../workloads/docker/engine.ts";
import { readHostLimits } from "../workloads/docker/host-limits.ts";
import { lateDriver } from "../workloads/docker/late-driver.ts";
import { createOn } from "../workloads/podman/create-container.ts";
import { whyNoShells } from "../workloads/shell/can-have-shells.ts";
import { openShellDisks } from "../workloads/shell/shell-disks.ts";
import { type ShellDriverOptions, shellDriver } from "../workloads/shell/shell-driver.ts";
import { workloadReport } from "../workloads/workload-report.ts";
import { type MachineNews, surveyMachine } from "./machine.ts";

export const AGENT_VERSION = "0.1.0";
const PROTOCOL_VERSION = 1;

export interface Agent {
  readonly nodeId: string;
  /** `host:port` of the metrics. */
  readonly metrics: string;
  /** Gives up what runs, ends the workloads, keeps what was not acknowledged. */
  stop(): Promise<void>;
}

const SPOOL_LIMITS = { outcomesMax: 10_000 };

/** What a coordinator says otherwise with its welcome. */
const LIMITS_BEFORE_WELCOME: AttemptLimits = {
  inlineBytesMax: 4 * 1024,
  resultBytesMax: 1024 * 1024 * 1024,
  logTailBytesMax: 4 * 1024,
};

export async function startAgent(config: AgentConfig, clock: Clock, log: Logger): Promise<Agent> {
  const { nodeId } = readNodeIdentity(await readFile(config.tls.certFile));
  const sessionId = randomUUID().replaceAll("-", "");
  await mkdir(config.stateDir, { recursive: true, mode: 0o700 });

  const socketDir = makeSocketDir(config.stateDir);
  await refuseSecondAgent(socketDir);
  const spool = await openSpool(join(config.stateDir, "spool"), SPOOL_LIMITS, log);
  const news: MachineNews = {
    gpus: {
      // A GPU that came is told with the next hello, and how it is at once.
      onChange: (what) => (what === "gpus" ? links.renew() : links.sendNode(nodeReport())),
      onXid: (gpu, xid) => gpuInstruments.onXid(gpu, xid),
    },
    // What an engine has brought back is looked at as soon as it answers.
    engine: { onChange: () => links.renew(), onAnswers: () => reconciler.look() },
    speeds: { onMeasured: () => links.renew() },
  };
  const machine = await surveyMachine(config, nodeId, news, { clock, log });
  const { engine, builtins, gpus, gpuNodes, speeds, inventory } = machine;
  const nodeReport = (): NodeReport => ({
    gpus: gpus.list().map(wireHealth),
    drainWanted: undefined,
    stopShells: false,
  });
  const channels = channelsOf(config.tls);
  const pullRight = askPullRights(channels, () => links.bulkAddress());
  const cache = { dir: join(config.stateDir, "volumes"), bytesMax: config.volumeCacheBytes };
  const volumes = await openVolumeCache({ ...cache, clock, log });
  const mountVolume: MountVolume = async ({ volume, assignmentId }, onBytes, signal) =>
    volume && (await volumes.mount(volume, { open: bulk.volumeFiles(assignmentId), onBytes, signal }));
  const owner = { nodeId, sessionId };
  const wasToldToEnd = (containerId: string) => engine.wasToldToEnd(containerId);
  const containers = { owner, socketDir, gpuNodes, wasToldToEnd, pullRight, mountVolume, log };
  const docker = lateDriver(engine, (found) => guardGpus(dockerOf(found, containers), gpus));
  const shellParts = { ...containers, ...shellSettings(config) };
  const shells = lateDriver(engine, (found) => guardGpus(shellsOf(found, shellParts), gpus));
  let limits = LIMITS_BEFORE_WELCOME;
  let logBytesMax = 0;

  const reconciler = startReconciler({
    docker,
    builtin: guardGpus(builtins.driver, gpus),
    shells,
    onState: (workload) => links.sendWorkload(workloadReport(workload)),
    clock,
    log,
  });
  const outbox = startOutbox({
    spool,
    sender: {
      linked: () => links.linked(),
      sendReports: (reports) => links.sendReports(reports),
      uploadResult: (upload) => bulk.upload(upload),
    },
    clock,
    log,
  });
  const logs = await openAttemptLogs({
    folder: join(config.stateDir, "logs"),
    open: () => bulk.appendLogs(),
    bytesMax: () => logBytesMax,
    onSent: (bytes) => instruments.onLogSent(bytes),
    onDropped: (bytes) => instruments.onLogDropped(bytes),
    random: Math.random,
    clock,
    log,
  });
  const builder = await openBuilder(config.builds, {
    folder: join(config.stateDir, "builds"),
    socketDir,
    openSource: (assignmentId) => bulk.buildSource(assignmentId),
    pullRight,
    log,
  });
  const builds = openBuilds({ ...builder, logs, send: (report) => links.sendBuild(report), clock, log });
  const progress = progressReports({ send: (progresses) => links.sendProgress(progresses), clock });
  const attempts = createAttempts({
    workload: (assignmentId) => reconciler.workload(assignmentId),
    fetchInput: (start) => bulk.input(start),
    resultPath: (key) => spool.resultPath(key),
    discardResult: (key) =>
      void spool.drop(key).catch((error: unknown) => log.warn({ err: error }, "a result stays behind")),
    outbox,
    logs,
    progress,
    limits: () => limits,
    onEnded: (ended) => instruments.onAttemptEnded(ended),
    clock,
    log,
  });
  const instruments = createInstruments({
    workloadPhases: () => reconciler.workloads().map((workload) => workload.state().kind),
    attemptsRunning: () => attempts.running(),
    outcomesPending: () => outbox.size(),
    outcomesSpooled: () => spool.size(),
    logBytesWaiting: () => logs.waitingBytes(),
    volumeBytesKept: () => volumes.bytes(),
    linksUp: () => links.status().filter((link) => link.up).length,
    gpus: () => gpus.list().length,
    engines: () => (engine.engine() === null ? 0 : 1),
    certificateEndsAtMs: () => readNodeIdentity(readFileSync(config.tls.certFile)).validTo.getTime(),
  });
  const gpuInstruments = addGpuInstruments(instruments.registry, () => gpus.list());

  const onCommand = (command: Command): void => {
    switch (command.$case) {
      case "assignments": {
        const specs = command.value.assignments.map(specOf).filter((spec) => spec !== null);
        volumes.want(new Set(specs.flatMap(({ volume }) => volume?.manifestSha256 ?? [])));
        reconciler.want(specs);
        builds.want(command.value.assignments.map(buildSpecOf).filter((spec) => spec !== null));
        return;
      }
      case "attemptCommands":
        attempts.start(command.value.start);
        for (const { attempt } of command.value.cancel) if (attempt !== undefined) attempts.cancel(attempt);
        return;
      case "attemptAcks":
        for (const ack of command.value.acks) outbox.acknowledge(ack);
    }
  };
  const onWelcome = (welcome: Welcome): void => {
    if (welcome.limits !== undefined) {
      limits = attemptLimits(welcome.limits);
      logBytesMax = Number(welcome.limits.logBytesMax);
    }
    attempts.direct(welcome.directives);
    // What became of workloads while the hello was on its way.
    for (const workload of reconciler.workloads()) links.sendWorkload(workloadReport(workload));
    drains.onLinked();
    outbox.onLinked();
    logs.onLinked();
    builds.onLinked();
    progress.onLinked();
    // What changed since the hello was written.
    if (gpus.list().length > 0) links.sendNode(nodeReport());
  };

  const drains = drainOrders((order) => links.askOne({ ...order, gpus: [] }));

  const openTunnel = (address: string) => openTunnelStream(channels, address);
  const tunnels = createTunnels({ docker: () => engine.engine()?.docker ?? null, nodeId, open: openTunnel, log });

  const metrics = await listenFor(
    "ELASTIC_METRICS_LISTEN",
    listenForMetrics({ source: instruments.registry, listen: config.metricsListen, log }),
  );
  const links = openLinks({
    addresses: config.coordinators,
    channels,
    hello: () => ({
      nodeId,
      protocolVersion: PROTOCOL_VERSION,
      agentVersion: AGENT_VERSION,
      inventory: inventory(),
      workloads: reconciler.workloads().map(workloadReport),
      // What runs comes first; an outcome that is left out is told all the same.
      attempts: attempts.refs().slice(0, HELLO_ATTEMPTS_MAX),
      sessionId,
    }),
    gpuReadings: () => gpus.list().map(wireReading),
    onWelcome,
    onCommand,
    onNodeState: drains.onNodeState,
    onOpenTunnel: tunnels.onOpen,
    onUnlinked: () => outbox.onUnlinked(),
    onFenced: () => {
      instruments.onFenced();
      attempts.fence();
    },
    random: Math.random,
    clock,
    log,
  });
  gpus.run();
  engine.run();
  speeds.run();
  const bulk = openBulk(channels, () => links.bulkAddress(), log);

  const renewal = config.isEnrolled
    ? startRenewal({
        files: config.tls,
        ask: askRenewal(channels, () => links.bulkAddress() ?? config.coordinators[0] ?? null),
        onRenewed: () => {
          links.renew();
          bulk.renew();
        },
        random: Math.random,
        clock,
        log,
      })
    : null;

  const startedAt = clock.monotonicMs();
  const readStatus = (): AgentStatus => ({
    nodeId,
    version: AGENT_VERSION,
    sessionId,
    uptimeSeconds: (clock.monotonicMs() - startedAt) / 1000,
    metrics: metrics.address,
    engine: engineText(engine.engine()),
    builtinProvers: builtins.provers,
    sandbox: builtins.sandbox,
    slots: inventory().slots,
    labels: config.labels,
    drain: drains.status(),
    score: machineScore(
      speeds.of(null),
      gpus.list().map(({ uuid }) => speeds.of(uuid)),
    ),
    gpus: gpus.list().map(gpuStatus),
    links: links.status(),
    workloads: reconciler.workloads().map(workloadStatus),
    attemptsRunning: attempts.running(),
    outcomesPending: outbox.size(),
    outcomesSpooled: spool.size(),
  });
  const status = await serveStatus(socketDir, { read: readStatus, order: drains.order });

  return {
    nodeId,
    metrics: metrics.address,
    stop: async () => {
      await renewal?.stop();
      links.stop();
      tunnels.stop();
      await attempts.stop();
      await builds.stop();
      await builder.close();
      progress.stop();
      await outbox.stop();
      await logs.stop();
      await reconciler.stop();
      speeds.stop();
      gpus.stop();
      engine.stop();
      bulk.close();
      await metrics.stop();
      await status.stop();
    },
  };
}

function engineText(engine: Engine | null): string | null {
  return engine === null ? null : `${engine.name} ${engine.version}`;
}

function dockerOf(
  engine: Engine,
  options: Omit<DockerDriverOptions, "docker" | "createContainer" | "hostLimits">,
): Driver {
  const createContainer = createOn(engine.docker, engine.name);
  return dockerDriver({ ...options, docker: engine.docker, createContainer, hostLimits: readHostLimits() });
}

/** What shells have beside provers. */
type ShellSettings = Pick<ShellDriverOptions, "disks" | "whyNot" | "egressRanges">;

function shellSettings({ stateDir, shellEgressRanges: egressRanges }: AgentConfig): ShellSettings {
  return { disks: openShellDisks(join(stateDir, "shells")), whyNot: whyNoShells(), egressRanges };
}

function shellsOf(
  { docker, name, rootId }: Engine,
  options: Omit<ShellDriverOptions, "docker" | "createContainer" | "hostLimits" | "rootId">,
): Driver {
  return shellDriver({
    ...options,
    docker,
    rootId,
    createContainer: createOn(docker, name),
    hostLimits: readHostLimits(),
  });
}

function attemptLimits(limits: Limits): AttemptLimits {
  return {
    inlineBytesMax: limits.inlineResultBytesMax,
    resultBytesMax: Number(limits.resultBytesMax),
    logTailBytesMax: limits.logTailBytesMax,
  };
}
