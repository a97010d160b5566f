/** How far back the charts of a service go, as it stands in the address. Pure. */
export const RANGES = ["1h", "3h", "24h"] as const;
export type Range = (typeof RANGES)[number];

export const RANGE_LABELS: Readonly<Record<Range, string>> = { "1h": "1 hour", "3h": "3 hours", "24h": "24 hours" };

const HOUR_MS = 3_600_000;

export function readRange({ range }: Readonly<Record<string, unknown>>): { readonly range?: Range | undefined } {
  return { range: RANGES.find((known) => known === range) };
}

/** When it begins, as the service writes times. */
export function beginOf(range: Range, now: number): string {
  return new Date(now - Number.parseInt(range, 10) * HOUR_MS).toISOString().slice(0, 19);
}
