/** When a store is nearly full, and when it no longer is: by what is in use of its quota. */

export interface StoreSize {
  readonly inUseBytes: number;
  /** Above it the store rejects writes; 0 where it has none. */
  readonly quotaBytes: number;
}

/** By this much the use must fall below the threshold before creations are accepted again, so that it does not flap. */
const HYSTERESIS_PERCENT = 5;

/** `wasNearlyFull` is the decision before this one. */
export function isNearlyFull(size: StoreSize, thresholdPercent: number, wasNearlyFull: boolean): boolean {
  if (size.quotaBytes <= 0) return false;
  const percent = wasNearlyFull ? thresholdPercent - HYSTERESIS_PERCENT : thresholdPercent;
  return inUsePercent(size) >= percent;
}

export function inUsePercent({ inUseBytes, quotaBytes }: StoreSize): number {
  return quotaBytes <= 0 ? 0 : (100 * inUseBytes) / quotaBytes;
}
