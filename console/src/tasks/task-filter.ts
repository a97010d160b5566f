/** What a list of tasks is filtered by, as it stands in the address. */
export const PHASES = ["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "expired"] as const;

export interface TaskFilter {
  readonly page?: number | undefined;
  readonly phase?: (typeof PHASES)[number] | undefined;
  readonly service_id?: string | undefined;
}

/** What is not understood is left out: anybody can write an address. */
export function readTaskFilter({ page, phase, service_id: service }: Readonly<Record<string, unknown>>): TaskFilter {
  return {
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
    phase: PHASES.find((known) => known === phase),
    service_id: typeof service === "string" && /^[0-9a-f]{32}$/.test(service) ? service : undefined,
  };
}
