/**
 * The functions of NVIDIA's management library that are used here, through koffi. Called in a child process only
 * (child.ts), since a driver may hang or crash.
 */
import koffi from "koffi";

export const NVML = {
  ok: 0,
  notSupported: 3,
  notFound: 6,
  timeout: 10,
  migEnabled: 1,
  /** Event types: an Xid, and an error of memory that could not be corrected. */
  xidEvent: 0x8,
  doubleBitEvent: 0x2,
  eccCorrected: 0,
  eccUncorrected: 1,
  /** Since the driver was loaded. */
  eccVolatile: 0,
  temperatureOfGpu: 0,
} as const;

type Call = (...args: readonly unknown[]) => number;

/** The driver's response is not to what was requested. */
class NvmlError extends Error {
  override readonly name = "NvmlError";
  readonly status: number;

  constructor(call: string, status: number, words: string) {
    super(`${call} returned ${status}${words === "" ? "" : ` (${words})`}`);
    this.status = status;
  }
}

export type Nvml = ReturnType<typeof bindNvml>;

export function bindNvml(libraryPath: string) {
  const library = koffi.load(libraryPath);
  const call = (signature: string): Call => library.func(signature) as Call;
  /** Null where the driver is too old to have it. */
  const newer = (signature: string): Call | null => {
    try {
      return call(signature);
    } catch {
      return null;
    }
  };
  return {
    init: call("int nvmlInit_v2(void)"),
    errorString: newer("const char *nvmlErrorString(int status)") as ((status: number) => string) | null,
    driverVersion: call("int nvmlSystemGetDriverVersion(void *version, unsigned int length)"),
    count: call("int nvmlDeviceGetCount_v2(_Out_ unsigned int *count)"),
    handle: call("int nvmlDeviceGetHandleByIndex_v2(unsigned int index, _Out_ void **device)"),
    uuid: call("int nvmlDeviceGetUUID(void *device, void *uuid, unsigned int length)"),
    name: call("int nvmlDeviceGetName(void *device, void *name, unsigned int length)"),
    pci: newer("int nvmlDeviceGetPciInfo_v3(void *device, void *pci)"),
    minor: newer("int nvmlDeviceGetMinorNumber(void *device, _Out_ unsigned int *minor)"),
    capability: newer(
      "int nvmlDeviceGetCudaComputeCapability(void *device, _Out_ int *major, _Out_ int *minorVersion)",
    ),
    memory: call("int nvmlDeviceGetMemoryInfo(void *device, void *memory)"),
    memoryV2: newer("int nvmlDeviceGetMemoryInfo_v2(void *device, void *memory)"),
    temperature: newer("int nvmlDeviceGetTemperature(void *device, int sensor, _Out_ unsigned int *celsius)"),
    power: newer("int nvmlDeviceGetPowerUsage(void *device, _Out_ unsigned int *milliwatts)"),
    utilisation: newer("int nvmlDeviceGetUtilizationRates(void *device, void *rates)"),
    ecc: newer("int nvmlDeviceGetTotalEccErrors(void *device, int type, int counter, void *count)"),
    computeProcesses: newer(
      "int nvmlDeviceGetComputeRunningProcesses_v3(void *device, _Inout_ unsigned int *count, void *infos)",
    ),
    migMode: newer("int nvmlDeviceGetMigMode(void *device, _Out_ unsigned int *current, _Out_ unsigned int *pending)"),
    migMax: newer("int nvmlDeviceGetMaxMigDeviceCount(void *device, _Out_ unsigned int *count)"),
    migHandle: newer(
      "int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned int index, _Out_ void **instance)",
    ),
    gpuInstance: newer("int nvmlDeviceGetGpuInstanceId(void *device, _Out_ unsigned int *id)"),
    computeInstance: newer("int nvmlDeviceGetComputeInstanceId(void *device, _Out_ unsigned int *id)"),
    eventSet: newer("int nvmlEventSetCreate(_Out_ void **set)"),
    registerEvents: newer("int nvmlDeviceRegisterEvents(void *device, uint64_t types, void *set)"),
    waitForEvent: newer("int nvmlEventSetWait_v2(void *set, void *data, unsigned int timeoutMs)"),
  };
}

/** Throws unless the status is `ok`. */
export function check(nvml: Nvml, status: number, call: string): void {
  if (status !== NVML.ok) throw new NvmlError(call, status, nvml.errorString?.(status) ?? "");
}
