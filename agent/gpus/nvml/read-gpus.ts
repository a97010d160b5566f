/** Reads every GPU of the machine, one by one: one that does not respond is reported and hides no other. */
import { check, NVML, type Nvml } from "./bind.ts";
import type { GpuProcess, GpuReading, UnreadGpu } from "./reading.ts";

const TEXT_BYTES = 96;
const PROCESSES_MAX = 256;
/** nvmlProcessInfo_t: pid, used memory, GPU instance, compute instance. */
const PROCESS_BYTES = 24;
/** nvmlMemory_v2_t with its version in the high byte. */
const MEMORY_V2_BYTES = 40;
const MEMORY_V2_VERSION = MEMORY_V2_BYTES | (2 << 24);
/** nvmlPciInfo_t: the bus id stands at its end. */
const PCI_BYTES = 68;
const PCI_BUS_ID_AT = 36;
const NOT_AVAILABLE = 0xffff_ffff_ffff_ffffn;
const MIG_DEVICES_MAX = 16;

export interface Device {
  readonly handle: unknown;
  readonly uuid: string;
}

export interface GpusRead {
  readonly gpus: readonly GpuReading[];
  readonly unread: readonly UnreadGpu[];
  /** The whole GPUs, whose events are of interest. */
  readonly devices: readonly Device[];
}

export function readGpus(nvml: Nvml): GpusRead {
  const driverVersion = text(nvml, (buffer) => nvml.driverVersion(buffer, TEXT_BYTES), "nvmlSystemGetDriverVersion");
  const count = [0];
  check(nvml, nvml.count(count), "nvmlDeviceGetCount_v2");
  const gpus: GpuReading[] = [];
  const unread: UnreadGpu[] = [];
  const devices: Device[] = [];
  for (let index = 0; index < (count[0] ?? 0); index += 1) {
    let uuid: string | null = null;
    try {
      const handle = [null];
      check(nvml, nvml.handle(index, handle), "nvmlDeviceGetHandleByIndex_v2");
      uuid = uuidOf(nvml, handle[0]);
      devices.push({ handle: handle[0], uuid });
      gpus.push(...readDevice(nvml, handle[0], uuid, driverVersion));
    } catch (error) {
      unread.push({ uuid, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { gpus, unread, devices };
}

/** A GPU that is cut into instances is its instances. */
function readDevice(nvml: Nvml, handle: unknown, uuid: string, driverVersion: string): readonly GpuReading[] {
  const whole = describe(nvml, handle, uuid, driverVersion);
  const mode = [0];
  if (nvml.migMode?.(handle, mode, [0]) !== NVML.ok || mode[0] !== NVML.migEnabled) return [whole];
  const most = [0];
  if (nvml.migMax?.(handle, most) !== NVML.ok) most[0] = MIG_DEVICES_MAX;
  const instances: GpuReading[] = [];
  for (let index = 0; index < Math.min(MIG_DEVICES_MAX, most[0] ?? 0); index += 1) {
    const instance = [null];
    const status = nvml.migHandle?.(handle, index, instance) ?? NVML.notSupported;
    if (status === NVML.notFound) continue;
    check(nvml, status, "nvmlDeviceGetMigDeviceHandleByIndex");
    instances.push(describeInstance(nvml, instance[0], whole));
  }
  return instances;
}

/** What an instance does not say of itself is its GPU's. */
function describeInstance(nvml: Nvml, handle: unknown, whole: GpuReading): GpuReading {
  const instance = describe(nvml, handle, uuidOf(nvml, handle), whole.driverVersion);
  const gpu = number(nvml.gpuInstance, handle);
  const compute = number(nvml.computeInstance, handle);
  return {
    ...instance,
    parentUuid: whole.uuid,
    pciId: whole.pciId,
    minor: whole.minor,
    computeCapability: whole.computeCapability,
    temperatureCelsius: whole.temperatureCelsius,
    powerWatts: null,
    eccCorrected: whole.eccCorrected,
    eccUncorrected: whole.eccUncorrected,
    instance: gpu === null || compute === null ? null : { gpu, compute },
  };
}

function describe(nvml: Nvml, handle: unknown, uuid: string, driverVersion: string): GpuReading {
  const { model, migProfile } = splitName(
    text(nvml, (buffer) => nvml.name(handle, buffer, TEXT_BYTES), "nvmlDeviceGetName"),
  );
  const milliwatts = number(nvml.power, handle);
  return {
    uuid,
    model,
    migProfile,
    parentUuid: "",
    pciId: pciIdOf(nvml, handle),
    computeCapability: capabilityOf(nvml, handle),
    driverVersion,
    ...memoryOf(nvml, handle),
    processes: processesOf(nvml, handle),
    minor: number(nvml.minor, handle),
    instance: null,
    temperatureCelsius: number(
      nvml.temperature && ((device, out) => nvml.temperature?.(device, NVML.temperatureOfGpu, out) ?? -1),
      handle,
    ),
    powerWatts: milliwatts === null ? null : milliwatts / 1000,
    utilisation: utilisationOf(nvml, handle),
    eccCorrected: eccOf(nvml, handle, NVML.eccCorrected),
    eccUncorrected: eccOf(nvml, handle, NVML.eccUncorrected),
  };
}

/** An instance's name is that of its GPU and its profile, such as `NVIDIA A100-SXM4-40GB MIG 1g.5gb`. */
export function splitName(name: string): { readonly model: string; readonly migProfile: string } {
  const [, model, migProfile] = /^(.*) MIG (\S+)$/.exec(name) ?? [];
  return model === undefined || migProfile === undefined ? { model: name, migProfile: "" } : { model, migProfile };
}

function uuidOf(nvml: Nvml, handle: unknown): string {
  return text(nvml, (buffer) => nvml.uuid(handle, buffer, TEXT_BYTES), "nvmlDeviceGetUUID");
}

/** The newer call gives the driver's own memory separately; the older one counts it as used. */
function memoryOf(nvml: Nvml, handle: unknown): Pick<GpuReading, "memoryBytes" | "usedBytes" | "countsReserved"> {
  const second = Buffer.alloc(MEMORY_V2_BYTES);
  second.writeUInt32LE(MEMORY_V2_VERSION >>> 0);
  if (nvml.memoryV2?.(handle, second) === NVML.ok) {
    return { memoryBytes: count(second, 8), usedBytes: count(second, 32), countsReserved: false };
  }
  const first = Buffer.alloc(24);
  check(nvml, nvml.memory(handle, first), "nvmlDeviceGetMemoryInfo");
  return { memoryBytes: count(first, 0), usedBytes: count(first, 16), countsReserved: true };
}

function processesOf(nvml: Nvml, handle: unknown): readonly GpuProcess[] | null {
  const infos = Buffer.alloc(PROCESS_BYTES * PROCESSES_MAX);
  const found = [PROCESSES_MAX];
  if (nvml.computeProcesses?.(handle, found, infos) !== NVML.ok) return null;
  return Array.from({ length: Math.min(found[0] ?? 0, PROCESSES_MAX) }, (_, n) => {
    const bytes = infos.readBigUInt64LE(n * PROCESS_BYTES + 8);
    return {
      pid: infos.readUInt32LE(n * PROCESS_BYTES),
      memoryBytes: bytes === NOT_AVAILABLE ? null : Number(bytes),
    };
  });
}

function pciIdOf(nvml: Nvml, handle: unknown): string {
  const pci = Buffer.alloc(PCI_BYTES);
  return nvml.pci?.(handle, pci) === NVML.ok ? terminated(pci.subarray(PCI_BUS_ID_AT)) : "";
}

function capabilityOf(nvml: Nvml, handle: unknown): string {
  const [major, minor] = [[0], [0]];
  return nvml.capability?.(handle, major, minor) === NVML.ok ? `${major[0]}.${minor[0]}` : "";
}

function utilisationOf(nvml: Nvml, handle: unknown): number | null {
  const rates = Buffer.alloc(8);
  return nvml.utilisation?.(handle, rates) === NVML.ok ? rates.readUInt32LE(0) / 100 : null;
}

function eccOf(nvml: Nvml, handle: unknown, type: number): number | null {
  const total = Buffer.alloc(8);
  return nvml.ecc?.(handle, type, NVML.eccVolatile, total) === NVML.ok ? count(total, 0) : null;
}

/** What some GPUs do not have is no fault. */
function number(call: ((handle: unknown, out: number[]) => number) | null, handle: unknown): number | null {
  const out = [0];
  return call?.(handle, out) === NVML.ok ? (out[0] ?? 0) : null;
}

function text(nvml: Nvml, read: (buffer: Buffer) => number, call: string): string {
  const buffer = Buffer.alloc(TEXT_BYTES);
  check(nvml, read(buffer), call);
  return terminated(buffer);
}

function terminated(buffer: Buffer): string {
  const end = buffer.indexOf(0);
  return buffer.toString("utf8", 0, end === -1 ? buffer.length : end);
}

function count(buffer: Buffer, at: number): number {
  return Number(buffer.readBigUInt64LE(at));
}
