/** How long to wait before the next try. Half of it is chance, so that a fleet does not come back all at once. */

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** `failures` counts from 1; `random` is in [0, 1). */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number, random: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return full / 2 + (full / 2) * random;
}
