/** Which devices of a machine are measured next. Pure. */

import type { AccelLibrary, Device } from "../accel-library/accel-library.ts";
import { whyNotFree } from "../gpus/gpu-health.ts";
import type { GpuReading } from "../gpus/nvml/reading.ts";

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
