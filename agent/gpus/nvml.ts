/**
 * NVIDIA's management library through koffi: which GPUs this machine has. Run in a child process (nvml-child.ts),
 * since a driver may hang or crash.
 */
import koffi from "koffi";

export interface NvmlGpu {
  readonly uuid: string;
  readonly model: string;
  readonly memoryBytes: number;
  readonly driverVersion: string;
  /** Empty for a whole GPU. */
  readonly migProfile: string;
}

const OK = 0;
const MIG_ENABLED = 1;
const TEXT_BYTES = 96;
const MIG_DEVICES_MAX = 7;

type Call = (...args: readonly unknown[]) => number;

export function listGpus(libraryPath: string): readonly NvmlGpu[] {
  const nvml = bind(libraryPath);
  check(nvml.init(), "nvmlInit_v2");
  const driverVersion = text((buffer) => nvml.driverVersion(buffer, TEXT_BYTES), "nvmlSystemGetDriverVersion");
  const count = [0];
  check(nvml.count(count), "nvmlDeviceGetCount_v2");
  const gpus: NvmlGpu[] = [];
  for (let index = 0; index < (count[0] ?? 0); index += 1) {
    const device: unknown[] = [null];
    check(nvml.handle(index, device), "nvmlDeviceGetHandleByIndex_v2");
    gpus.push(...devicesOf(nvml, device[0], driverVersion));
  }
  return gpus;
}

/** A GPU that is cut into MIG instances is its instances. */
function devicesOf(nvml: Nvml, device: unknown, driverVersion: string): readonly NvmlGpu[] {
  const mode = [0];
  const pending = [0];
  const isCut = nvml.migMode(device, mode, pending) === OK && mode[0] === MIG_ENABLED;
  if (!isCut) return [describe(nvml, device, driverVersion)];
  const instances: NvmlGpu[] = [];
  for (let index = 0; index < MIG_DEVICES_MAX; index += 1) {
    const instance: unknown[] = [null];
    if (nvml.migHandle(device, index, instance) === OK) instances.push(describe(nvml, instance[0], driverVersion));
  }
  return instances;
}

function describe(nvml: Nvml, device: unknown, driverVersion: string): NvmlGpu {
  const uuid = text((buffer) => nvml.uuid(device, buffer, TEXT_BYTES), "nvmlDeviceGetUUID");
  const name = text((buffer) => nvml.name(device, buffer, TEXT_BYTES), "nvmlDeviceGetName");
  // The struct begins with the total; free and used follow.
  const memory = new BigUint64Array(3);
  check(nvml.memory(device, memory), "nvmlDeviceGetMemoryInfo");
  const { model, migProfile } = splitName(name);
  return { uuid, model, memoryBytes: Number(memory[0]), driverVersion, migProfile };
}

/** An instance's name is that of its GPU and its profile, such as `NVIDIA A100-SXM4-40GB MIG 1g.5gb`. */
export function splitName(name: string): { readonly model: string; readonly migProfile: string } {
  const [, model, migProfile] = /^(.*) MIG (\S+)$/.exec(name) ?? [];
  return model === undefined || migProfile === undefined ? { model: name, migProfile: "" } : { model, migProfile };
}

type Nvml = ReturnType<typeof bind>;

function bind(libraryPath: string) {
  const library = koffi.load(libraryPath);
  const call = (signature: string): Call => library.func(signature) as Call;
  return {
    init: call("int nvmlInit_v2(void)"),
    driverVersion: call("int nvmlSystemGetDriverVersion(void *version, unsigned int length)"),
    count: call("int nvmlDeviceGetCount_v2(_Out_ unsigned int *count)"),
    handle: call("int nvmlDeviceGetHandleByIndex_v2(unsigned int index, _Out_ void **device)"),
    uuid: call("int nvmlDeviceGetUUID(void *device, void *uuid, unsigned int length)"),
    name: call("int nvmlDeviceGetName(void *device, void *name, unsigned int length)"),
    memory: call("int nvmlDeviceGetMemoryInfo(void *device, void *memory)"),
    migMode: call("int nvmlDeviceGetMigMode(void *device, _Out_ unsigned int *current, _Out_ unsigned int *pending)"),
    migHandle: call("int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned int index, _Out_ void **instance)"),
  };
}

function text(read: (buffer: Buffer) => number, name: string): string {
  const buffer = Buffer.alloc(TEXT_BYTES);
  check(read(buffer), name);
  return buffer.toString("utf8", 0, buffer.indexOf(0));
}

function check(status: number, name: string): void {
  if (status !== OK) throw new Error(`${name} answered ${status}`);
}
