import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { FleetDemandRecord } from "./records.ts";

export async function getDemand(caller: Caller): Promise<FleetDemandRecord> {
  return (await call(caller, { method: "GET", path: "/v1/fleet/demand" })) as FleetDemandRecord;
}
