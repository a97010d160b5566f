/** What a reading of the machine says of the known GPUs: new ones, lost ones, and their errors. */
import type { Logger } from "@elastic/std/log.ts";
import type { TestTimes } from "./gpu-health.ts";
import type { GpuReading, MachineReading, XidEvent } from "./nvml/reading.ts";
import { TrackedGpu } from "./tracked-gpu.ts";
import { xidMeaning } from "./xids.ts";

export interface TakeOptions {
  readonly nowMs: number;
  readonly times: TestTimes;
  readonly onXid: (gpu: TrackedGpu, xid: number) => void;
  readonly log: Logger;
}

export function takeReading(gpus: Map<string, TrackedGpu>, reading: MachineReading, options: TakeOptions): void {
  for (const gpu of reading.gpus) {
    const known = gpus.get(gpu.uuid);
    if (known === undefined) gpus.set(gpu.uuid, new TrackedGpu(gpu));
    else takeOne(known, gpu, options);
  }
  const read = new Set(reading.gpus.map(({ uuid }) => uuid));
  for (const gpu of gpus.values()) if (!read.has(gpu.uuid)) takeLoss(gpu, reading, options);
  for (const event of reading.events) takeEvent(gpus, event, options);
}

function takeOne(gpu: TrackedGpu, reading: GpuReading, { nowMs, times, log }: TakeOptions): void {
  const before = gpu.reading.eccUncorrected;
  gpu.reading = reading;
  gpu.present = true;
  if (before === null || reading.eccUncorrected === null || reading.eccUncorrected <= before) return;
  const why = `${reading.eccUncorrected - before} errors in its memory could not be corrected`;
  log.error({ gpu: gpu.uuid, before, now: reading.eccUncorrected }, `a GPU is quarantined: ${why}`);
  gpu.fault(why, nowMs, times);
}

function takeLoss(gpu: TrackedGpu, { unread }: MachineReading, { nowMs, times, log }: TakeOptions): void {
  if (!gpu.present) return;
  gpu.present = false;
  const own = unread.find(({ uuid }) => uuid === gpu.uuid || uuid === gpu.reading.parentUuid) ?? unread[0];
  const why = `the driver cannot reach it any more${own === undefined ? "" : `: ${own.why}`}`;
  log.error({ gpu: gpu.uuid, pci: gpu.reading.pciId }, `a GPU is quarantined: ${why}`);
  gpu.fault(why, nowMs, times);
}

function takeEvent(gpus: Map<string, TrackedGpu>, event: XidEvent, { nowMs, times, onXid, log }: TakeOptions): void {
  const { means, verdict } = xidMeaning(event.xid);
  for (const gpu of gpus.values()) {
    if (!concerns(event, gpu.reading)) continue;
    onXid(gpu, event.xid);
    const said = { gpu: gpu.uuid, pci: gpu.reading.pciId, xid: event.xid, means };
    if (verdict === "note") {
      log.warn(said, "the driver reported an error on a GPU that the GPU did not cause");
      continue;
    }
    log.error(said, "a GPU is quarantined");
    gpu.fault(`${means} (Xid ${event.xid})`, nowMs, times);
  }
}

/** What befalls a GPU befalls all that is cut from it, unless one instance is named. */
function concerns({ uuid, gpuInstance }: XidEvent, reading: GpuReading): boolean {
  if (reading.uuid === uuid) return true;
  if (reading.parentUuid !== uuid || uuid === "") return false;
  return gpuInstance === null || reading.instance === null || reading.instance.gpu === gpuInstance;
}
