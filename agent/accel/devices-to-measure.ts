/** Which devices of a machine are measured next. Pure. */
import { whyNotFree } from "../gpus/gpu-health.ts";
import type { GpuReading } from "../gpus/nvml/reading.ts";
import type { AccelLibrary, Device } from "./accel-library.ts";

/**
 * The CPU first, then each GPU that nothing uses, where the library has its plug-in for them; none that `isDone`.
 * `gpus` are those that may be had.
 */
export function devicesToMeasure(
  { hasCuda }: Pick<AccelLibrary, "hasCuda">,
  gpus: readonly GpuReading[],
  isDone: (device: Device) => boolean,
): readonly Device[] {
  const idle = hasCuda ? gpus.filter((gpu) => whyNotFree(gpu) === null) : [];
  return [null, ...idle.map(({ uuid }) => uuid)].filter((device) => !isDone(device));
}
