/** A GPU in the words of the contract. */
import type { Gpu, GpuHealth, GpuReading, Speed } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { TrackedGpu } from "./tracked-gpu.ts";

/** `speed` is null until it was measured. */
export function wireGpu(gpu: TrackedGpu, speed: Speed | null): Gpu {
  const { uuid, model, driverVersion, migProfile, pciId, parentUuid, computeCapability } = gpu.reading;
  const memoryBytes = BigInt(gpu.reading.memoryBytes);
  const unhealthyReason = gpu.whyUnhealthy() ?? "";
  return {
    ...{ uuid, model, memoryBytes, driverVersion, migProfile, pciId, parentUuid, computeCapability },
    unhealthyReason,
    speed: speed ?? undefined,
  };
}

export function wireHealth(gpu: TrackedGpu): GpuHealth {
  return { uuid: gpu.uuid, unhealthyReason: gpu.whyUnhealthy() ?? "" };
}

/** Its newest reading; nothing of it where the driver did not list it then. */
export function wireReading({ uuid, present, reading }: TrackedGpu): GpuReading {
  if (!present) return { uuid };
  return {
    uuid,
    temperatureCelsius: reading.temperatureCelsius ?? undefined,
    usedBytes: BigInt(reading.usedBytes),
    utilisation: reading.utilisation ?? undefined,
  };
}
