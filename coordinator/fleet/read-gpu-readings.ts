/** How an agent says that its GPUs are, by uuid: bounded, and without what makes no sense. */
import type { GpuReading as WireReading } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { GpuReading } from "../nodes/node-sightings.ts";

/** As many as a machine has slots. */
const GPUS_MAX = 1024;
const UUID_LENGTH_MAX = 128;
const CELSIUS_MAX = 200;

export function readGpuReadings(readings: readonly WireReading[]): ReadonlyMap<string, GpuReading> {
  return new Map(
    readings.slice(0, GPUS_MAX).map(({ uuid, temperatureCelsius, usedBytes, utilisation }) => [
      uuid.slice(0, UUID_LENGTH_MAX),
      {
        temperatureCelsius: within(temperatureCelsius, -CELSIUS_MAX, CELSIUS_MAX),
        usedBytes: within(usedBytes === undefined ? undefined : Number(usedBytes), 0, Number.MAX_SAFE_INTEGER),
        utilisation: within(utilisation, 0, 1),
      },
    ]),
  );
}

function within(value: number | undefined, min: number, max: number): number | null {
  return value !== undefined && value >= min && value <= max ? value : null;
}
