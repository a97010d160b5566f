/** A GPU in the words of the contract. */
import type { Gpu, GpuHealth, Speed } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { KeptGpu } from "./kept-gpu.ts";

/** `speed` is null until it was measured. */
export function wireGpu(gpu: KeptGpu, speed: Speed | null): Gpu {
  const { uuid, model, driverVersion, migProfile, pciId, parentUuid, computeCapability } = gpu.reading;
  const memoryBytes = BigInt(gpu.reading.memoryBytes);
  const unhealthyReason = gpu.whyUnhealthy() ?? "";
  return {
    ...{ uuid, model, memoryBytes, driverVersion, migProfile, pciId, parentUuid, computeCapability },
    unhealthyReason,
    speed: speed ?? undefined,
  };
}

export function wireHealth(gpu: KeptGpu): GpuHealth {
  return { uuid: gpu.uuid, unhealthyReason: gpu.whyUnhealthy() ?? "" };
}
