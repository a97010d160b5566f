/** What machines and their devices are compared by: what they were measured at, in one number. */
import type { Speed } from "./gen/elastic/fleet/v1/node.ts";

/**
 * The geometric mean of both rates, in millions a second, so that twice of either counts the same. Relative to nothing:
 * any reference machine would only scale all scores alike.
 */
export function deviceScore({ msmPointsPerSecond, nttElementsPerSecond }: Speed): number {
  return shortened(Math.sqrt(msmPointsPerSecond * nttElementsPerSecond) / 1e6);
}

/** The sum over its GPUs that were measured, as each is a slot; of a machine without GPUs its CPU's. Null: none yet. */
export function machineScore(cpu: Speed | null, gpus: readonly (Speed | null)[]): number | null {
  const measured = (gpus.length > 0 ? gpus : [cpu]).filter((speed) => speed !== null);
  return measured.length === 0 ? null : shortened(measured.reduce((sum, speed) => sum + deviceScore(speed), 0));
}

/** To three digits: what a measurement is good for. */
function shortened(value: number): number {
  return Number(value.toPrecision(3));
}
