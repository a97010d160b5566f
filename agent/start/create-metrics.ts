/** What Prometheus scrapes of this agent, read from its parts when somebody looks. */
import { readFileSync } from "node:fs";
import type { DiskKeeper } from "../disks/keep-disks.ts";
import { readNodeIdentity } from "../enrollment/node-identity.ts";
import type { Links } from "../link/links.ts";
import { addGpuInstruments, type GpuInstruments } from "../metrics/gpu-instruments.ts";
import { createInstruments, type Instruments } from "../metrics/instruments.ts";
import type { Machine } from "./machine.ts";
import type { Node } from "./open-node.ts";
import type { Supplies } from "./open-supplies.ts";
import type { Work } from "./start-work.ts";

export interface MeasuredParts {
  readonly machine: Machine;
  readonly supplies: Supplies;
  readonly work: Work;
  readonly disks: Pick<DiskKeeper, "pressure">;
  readonly links: Links;
  readonly outcomesSpooled: () => number;
}

export interface Metrics {
  readonly instruments: Instruments;
  readonly gpuInstruments: GpuInstruments;
}

export function createMetrics({ config }: Node, parts: MeasuredParts): Metrics {
  const { machine, supplies, work, disks, links, outcomesSpooled } = parts;
  const instruments = createInstruments({
    workloadPhases: () => work.reconciler.workloads().map((workload) => workload.state().kind),
    attemptsRunning: () => work.attempts.running(),
    outcomesPending: () => work.outbox.size(),
    outcomesSpooled,
    logBytesWaiting: () => work.logs.waitingBytes(),
    volumeBytes: () => supplies.volumes.bytes(),
    disksUnderPressure: () => (disks.pressure() === null ? 0 : 1),
    linksUp: () => links.status().filter((link) => link.up).length,
    gpus: () => machine.cluster?.gpus().length ?? machine.gpus.list().length,
    engines: () => ((machine.cluster?.responds() ?? machine.engine.engine() !== null) ? 1 : 0),
    egressPolicies: () => (machine.cluster === null ? 0 : (machine.cluster.egressPolicies()?.length ?? Number.NaN)),
    certificateValidity: () => {
      const { validFrom, validTo } = readNodeIdentity(readFileSync(config.tls.certFile));
      return { fromMs: validFrom.getTime(), toMs: validTo.getTime() };
    },
  });
  return { instruments, gpuInstruments: addGpuInstruments(instruments.registry, () => machine.gpus.list()) };
}
