/** Which usage is shown, as it stands in the address. Pure. */

export const RANGES_DAYS = [7, 30, 90] as const;
export const MEASURES = ["tasks", "gpu_seconds", "slot_seconds"] as const;
export type Measure = (typeof MEASURES)[number];

export interface UsageFilter {
  /** The last ones, in UTC, today included. */
  readonly days?: (typeof RANGES_DAYS)[number] | undefined;
  readonly by?: Measure | undefined;
  readonly service_id?: string | undefined;
}

const DAY_MS = 86_400_000;
const ID = /^[0-9a-f]{32}$/;

/** What is not understood is left out: anybody can write an address. */
export function readUsageFilter(search: Readonly<Record<string, unknown>>): UsageFilter {
  const { service_id: service } = search;
  return {
    days: RANGES_DAYS.find((days) => days === search.days),
    by: MEASURES.find((measure) => measure === search.by),
    service_id: typeof service === "string" && ID.test(service) ? service : undefined,
  };
}

/** The request for the last `days`, of which today is one. */
export function rangeOf(days: number, nowMs: number): { readonly from: string } {
  const first = Math.floor(nowMs / DAY_MS) - days + 1;
  return { from: new Date(first * DAY_MS).toISOString().slice(0, 19) };
}
