/** What is measured of each GPU. Labels are what the machine has: its GPUs, and the errors that are known by number. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { TrackedGpu } from "../gpus/tracked-gpu.ts";
import { FATAL_XIDS, isKnownXid } from "../gpus/xids.ts";

export interface GpuInstruments {
  onXid(gpu: TrackedGpu, xid: number): void;
}

interface Figure {
  readonly name: string;
  readonly help: string;
  /** Null where the driver does not say. */
  readonly of: (gpu: TrackedGpu) => number | null;
}

const FIGURES: readonly Figure[] = [
  {
    name: "healthy",
    help: "1 for a GPU that may be given out, 0 in quarantine",
    of: (gpu) => flag(!gpu.whyUnhealthy()),
  },
  { name: "held", help: "1 for a GPU that a workload has", of: (gpu) => flag(gpu.holder !== null) },
  { name: "memory_bytes", help: "Memory of the GPU", of: ({ reading }) => reading.memoryBytes },
  { name: "memory_used_bytes", help: "Memory of the GPU that is taken", of: ({ reading }) => reading.usedBytes },
  { name: "processes", help: "Processes on the GPU", of: ({ reading }) => reading.processes?.length ?? null },
  { name: "utilisation_ratio", help: "Part of the time that the GPU works", of: ({ reading }) => reading.utilisation },
  { name: "temperature_celsius", help: "Temperature", of: ({ reading }) => reading.temperatureCelsius },
  { name: "power_watts", help: "Power drawn", of: ({ reading }) => reading.powerWatts },
  {
    name: "ecc_corrected_errors",
    help: "Errors in memory that were corrected since the driver was loaded",
    of: ({ reading }) => reading.eccCorrected,
  },
  {
    name: "ecc_uncorrected_errors",
    help: "Errors in memory that could not be corrected since the driver was loaded",
    of: ({ reading }) => reading.eccUncorrected,
  },
];

export function addGpuInstruments(registry: Registry, gpus: () => readonly TrackedGpu[]): GpuInstruments {
  const registers = [registry];
  for (const { name, help, of } of FIGURES) {
    new Gauge({
      name: `elastic_agent_gpu_${name}`,
      help,
      labelNames: ["uuid", "model"],
      registers,
      collect() {
        this.reset();
        for (const gpu of gpus()) {
          const value = of(gpu);
          if (value !== null) this.set({ uuid: gpu.uuid, model: gpu.reading.model }, value);
        }
      },
    });
  }
  const xids = new Counter({
    name: "elastic_agent_gpu_xids_total",
    help: "Errors that the driver reported, by their number (Xid)",
    labelNames: ["uuid", "model", "xid"],
    registers,
    // An alert that looks for growth would not see the first of a GPU.
    collect() {
      for (const gpu of gpus()) for (const xid of FATAL_XIDS) this.inc(labelsOf(gpu, xid), 0);
    },
  });
  return {
    onXid: (gpu, xid) => xids.inc(labelsOf(gpu, xid)),
  };
}

function labelsOf({ uuid, reading }: TrackedGpu, xid: number) {
  return { uuid, model: reading.model, xid: isKnownXid(xid) ? `${xid}` : "other" };
}

function flag(value: boolean): number {
  return value ? 1 : 0;
}
