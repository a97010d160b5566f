import type { components } from "elastic-client/gen/schema.ts";
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";

export type ServiceMetrics = components["schemas"]["ServiceMetrics"];

export interface MetricsWish {
  /** Until now. */
  readonly seconds: number;
  /** Left to the service where it is undefined. */
  readonly stepSeconds: number | undefined;
}

/**
 * Of the last `seconds`, in steps of `stepSeconds`. Throws a CliError where the service has no such steps, or not for
 * so long.
 */
export async function getServiceMetrics(
  caller: Caller,
  serviceId: string,
  { seconds, stepSeconds }: MetricsWish,
): Promise<ServiceMetrics> {
  const from = new Date(Date.now() - 1000 * seconds).toISOString().slice(0, 19);
  const query = new URLSearchParams({ from, ...(stepSeconds === undefined ? {} : { step: String(stepSeconds) }) });
  const path = `/v1/services/${encodeURIComponent(serviceId)}/metrics?${query}`;
  return (await call(caller, { method: "GET", path })) as ServiceMetrics;
}
