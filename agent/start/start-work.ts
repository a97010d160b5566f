/** What a node does for coordinators: workloads, attempts with their logs and outcomes, and builds. */
import { join } from "node:path";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import { type Attempts, createAttempts } from "../attempts/attempts.ts";
import { type EndedJournal, openEndedJournal } from "../attempts/ended-journal.ts";
import { type Outbox, startOutbox } from "../attempts/outbox.ts";
import { type ProgressReports, progressReports } from "../attempts/progress-reports.ts";
import type { Spool } from "../attempts/spool.ts";
import { type Builds, openBuilds } from "../builds/builds.ts";
import { openBuilder } from "../builds/open-builder.ts";
import type { EvictableStore } from "../domain/evictable.ts";
import type { Links } from "../link/links.ts";
import { type AttemptLogs, openAttemptLogs } from "../logs/attempt-logs.ts";
import type { Instruments } from "../metrics/instruments.ts";
import { type Reconciler, startReconciler } from "../reconcile/apply.ts";
import { workloadReport } from "../workloads/workload-report.ts";
import type { LimitsOfWelcome } from "./limits-of-welcome.ts";
import type { Drivers } from "./open-drivers.ts";
import type { Node } from "./open-node.ts";
import type { Supplies } from "./open-supplies.ts";

export interface Work {
  readonly reconciler: Reconciler;
  readonly logs: AttemptLogs;
  readonly outbox: Outbox;
  readonly ended: EndedJournal;
  readonly progress: ProgressReports;
  readonly builds: Builds;
  /** What of builds can be evicted; null where none are built. */
  readonly layers: EvictableStore | null;
  readonly attempts: Attempts;
}

export interface WorkParts {
  readonly drivers: Drivers;
  readonly supplies: Supplies;
  readonly spool: Spool;
  readonly limits: LimitsOfWelcome;
  readonly links: Links;
  /** They exist once the work has been started: nothing is counted before. */
  readonly instruments: () => Instruments;
  readonly tracing: Tracing;
}

/** Stopped in reverse: attempts end before the logs and outcomes that they leave are put on disk, workloads last. */
export async function startWork(node: Node, parts: WorkParts, stopping: AsyncDisposableStack): Promise<Work> {
  const { clock, log } = node;
  const { drivers, supplies, spool, limits, links, instruments, tracing } = parts;
  const onState = (workload: Parameters<typeof workloadReport>[0]) => links.sendWorkload(workloadReport(workload));
  const reconciler = startReconciler({
    ...drivers,
    onState,
    onStarted: (stagesMs) => instruments().onStarted(stagesMs),
    clock,
    log,
  });
  stopping.defer(() => reconciler.stop());
  const logs = await openAttemptLogs({
    folder: join(node.config.stateDir, "logs"),
    open: () => supplies.bulk.appendLogs(),
    bytesMax: limits.logBytesMax,
    onSent: (bytes) => instruments().onLogSent(bytes),
    onDropped: (bytes) => instruments().onLogDropped(bytes),
    random: Math.random,
    clock,
    log,
  });
  stopping.defer(() => logs.stop());
  const ended = await openEndedJournal(join(node.config.stateDir, "ended-attempts"), log);
  stopping.defer(() => ended.stop());
  const outbox = startOutbox({
    spool,
    onCommitted: (ref) => ended.add(ref),
    tracing,
    sender: {
      linked: () => links.linked(),
      sendReports: (reports) => links.sendReports(reports),
      uploadResult: (upload) => supplies.bulk.upload(upload),
    },
    clock,
    log,
  });
  stopping.defer(() => outbox.stop());
  const progress = progressReports({ send: (progresses) => links.sendProgress(progresses), clock });
  stopping.defer(() => progress.stop());
  const { builds, layers } = await startBuilds(node, parts, logs, stopping);
  const attempts = createAttempts({
    workload: (assignmentId) => reconciler.workload(assignmentId),
    fetchInput: (start) => supplies.bulk.input(start),
    resultPath: (key) => spool.resultPath(key),
    discardResult: (key) =>
      void spool.drop(key).catch((error: unknown) => log.warn({ err: error }, "a result stays behind")),
    outbox,
    logs,
    progress,
    limits: limits.ofAttempts,
    onEnded: (ended) => instruments().onAttemptEnded(ended),
    tracing,
    clock,
    log,
  });
  stopping.defer(() => attempts.stop());
  return { reconciler, logs, outbox, ended, progress, builds, layers, attempts };
}

async function startBuilds(
  { config, socketDir, clock, log }: Node,
  { supplies, links }: WorkParts,
  logs: AttemptLogs,
  stopping: AsyncDisposableStack,
): Promise<Pick<Work, "builds" | "layers">> {
  const builder = await openBuilder(config.builds, {
    folder: join(config.stateDir, "builds"),
    socketDir,
    openSource: (assignmentId) => supplies.bulk.buildSource(assignmentId),
    pullRight: supplies.pullRight,
    log,
  });
  stopping.defer(() => builder.close());
  const builds = openBuilds({ ...builder, logs, send: (report) => links.sendBuild(report), clock, log });
  stopping.defer(() => builds.stop());
  return { builds, layers: builder.layers };
}
