/** An agent of the product's modules, without gRPC and containers, in a simulated process. */

import { createAttempts } from "@elastic/agent/attempts/attempts.ts";
import { openEndedJournal } from "@elastic/agent/attempts/ended-journal.ts";
import { startOutbox } from "@elastic/agent/attempts/outbox.ts";
import { progressReports } from "@elastic/agent/attempts/progress-reports.ts";
import { openSpool } from "@elastic/agent/attempts/spool.ts";
import type { Driver } from "@elastic/agent/domain/driver.ts";
import { drainOrders } from "@elastic/agent/drain/drain-orders.ts";
import { createLinks } from "@elastic/agent/link/links.ts";
import { SharedContact } from "@elastic/agent/link/shared-contact.ts";
import { startReconciler } from "@elastic/agent/reconcile/apply.ts";
import { limitsOfWelcome } from "@elastic/agent/start/limits-of-welcome.ts";
import { receiveMessages } from "@elastic/agent/start/receive-messages.ts";
import type { Work } from "@elastic/agent/start/start-work.ts";
import { writeHello } from "@elastic/agent/start/write-hello.ts";
import { workloadReport } from "@elastic/agent/workloads/workload-report.ts";
import type { StartAttempt } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Logger } from "@elastic/std/log.ts";
import { NO_TRACING } from "@elastic/std/tracing/tracing.ts";
import type { AgentStreams } from "./agent-stream.ts";
import { AttemptInput } from "./attempt-input.ts";
import type { Engine } from "./containers.ts";
import type { Ledger } from "./ledger.ts";
import { notSimulated } from "./not-simulated.ts";
import type { Process } from "./world.ts";

export interface AgentParts {
  readonly process: Process;
  readonly slots: number;
  readonly coordinators: readonly string[];
  readonly streams: AgentStreams;
  readonly engine: Engine;
  readonly ledger: Ledger;
  /** The stored input of a task, which every coordinator serves. */
  readonly inputOf: (taskId: string) => Buffer;
  /** Replaces what an agent does that has lost contact; only where a bug is planted. */
  readonly ignoresFence?: boolean;
  readonly log: Logger;
}

const NO_WORKLOADS: Driver = {
  name: "builtin",
  start: () => Promise.reject(new Error("there are no such workloads")),
  find: async () => [],
};

/** To be called in the context of its process. */
export async function startAgent(parts: AgentParts): Promise<void> {
  const { process, streams, ledger, log } = parts;
  const { clock, host: nodeId } = process;
  const spool = await openSpool("/state/spool", { outcomesMax: 1_000 }, log);
  const channels = {
    fleet: (address: string) => streams.dial(process, nodeId, address),
    bulk: () => notSimulated("bulk"),
  };
  const links = createLinks({
    addresses: parts.coordinators,
    channels: channels as never,
    // No work blocks the loop here, so those of its timers are enough.
    heartbeats: { contact: new SharedContact(), send: () => undefined, end: () => undefined },
    random: Math.random,
    clock,
    log,
  });
  const reconciler = startReconciler({
    docker: parts.engine.driverFor(process),
    builtin: NO_WORKLOADS,
    shells: NO_WORKLOADS,
    onState: (workload) => links.sendWorkload(workloadReport(workload)),
    onStarted: () => undefined,
    clock,
    log,
  });
  const ended = await openEndedJournal("/state/ended-attempts", log);
  const outbox = startOutbox({
    spool,
    onCommitted: (ref) => ended.add(ref),
    tracing: NO_TRACING,
    sender: {
      linked: () => links.linked(),
      sendReports: (reports) => links.sendReports(reports),
      uploadResult: async () => "refused",
    },
    clock,
    log,
  });
  const progress = progressReports({ send: (progresses) => links.sendProgress(progresses), clock });
  const limits = limitsOfWelcome();
  const logs = { begin: () => NO_LOG, onLinked: () => undefined } as unknown as Work["logs"];
  const attempts = createAttempts({
    workload: (assignmentId) => reconciler.workload(assignmentId),
    fetchInput: (start) => inputOf(parts, start),
    resultPath: (key) => spool.resultPath(key),
    discardResult: (key) => void spool.drop(key).catch(() => undefined),
    outbox,
    logs,
    progress,
    limits: limits.ofAttempts,
    onEnded: () => undefined,
    tracing: NO_TRACING,
    clock,
    log,
  });
  const builds = { want: () => undefined, onLinked: () => undefined } as unknown as Work["builds"];
  const work: Work = { reconciler, logs, outbox, ended, progress, builds, layers: null, attempts };
  const drains = drainOrders((order) => links.sendNodeToOne({ ...order, gpus: [] }));
  const nothing = { want: () => undefined };
  const messages = receiveMessages({
    work,
    volumes: nothing as never,
    images: nothing as never,
    drains,
    limits,
    reportWorkload: (workload) => links.sendWorkload(workloadReport(workload)),
    reportGpus: () => undefined,
  });
  const sessionId = process.name.replace(".", "-session-");
  const node = { config: { isEnrolled: false }, nodeId, sessionId } as Parameters<typeof writeHello>[0];
  const machine = { inventory: () => inventoryOf(parts) } as Parameters<typeof writeHello>[1]["machine"];
  links.open({
    hello: () => writeHello(node, { machine, work, disks: { pressure: () => null } }),
    endedBefore: (storeEpoch) => ended.before(storeEpoch),
    onEndedNoted: (noted) => ended.drop(noted),
    gpuReadings: () => [],
    ...messages,
    onNodeState: drains.onNodeState,
    onOpenTunnel: () => undefined,
    onRenewalWanted: () => undefined,
    onUnlinked: () => outbox.onUnlinked(),
    onFenced: () => {
      ledger.fence(process);
      if (parts.ignoresFence !== true) attempts.fence();
    },
  });
}

const NO_LOG = { follow: () => undefined, release: () => undefined, end: () => undefined };

function inputOf({ inputOf: read }: AgentParts, { attempt, inlineInput }: StartAttempt): AttemptInput {
  if (attempt === undefined) throw new Error("an attempt without a name");
  return new AttemptInput(attempt, inlineInput === undefined ? read(attempt.taskId) : Buffer.from(inlineInput));
}

function inventoryOf({ process, slots }: AgentParts): Inventory {
  return Inventory.fromPartial({
    hostname: process.host,
    cpuCores: 64,
    memoryBytes: 2n ** 38n,
    slots,
    containerEngine: { name: "simulated", version: "1" },
  });
}
