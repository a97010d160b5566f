/** What a driver might say of a GPU, for tests that need no driver. */
import type { GpuReading } from "../nvml/reading.ts";

export function aReading(uuid: string, given: Partial<GpuReading> = {}): GpuReading {
  return {
    uuid,
    model: "NVIDIA H200",
    migProfile: "",
    parentUuid: "",
    pciId: "00000000:01:00.0",
    computeCapability: "9.0",
    driverVersion: "570.1",
    memoryBytes: 140 * 1024 ** 3,
    usedBytes: 0,
    countsReserved: false,
    processes: [],
    minor: 0,
    instance: null,
    temperatureCelsius: 40,
    powerWatts: 100,
    utilisation: 0,
    eccCorrected: 0,
    eccUncorrected: 0,
    ...given,
  };
}
