import { CliError } from "../errors/cli-error.ts";
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { GpuTypeRecord } from "./records.ts";

/** What the fleet has; nothing where the service is of a version that does not report it. */
export async function listGpuTypes(caller: Caller): Promise<readonly GpuTypeRecord[]> {
  try {
    return ((await call(caller, { method: "GET", path: "/v1/gpu-types" })) as { readonly items: GpuTypeRecord[] })
      .items;
  } catch (error) {
    if (error instanceof CliError && error.code === "route_not_found") return [];
    throw error;
  }
}
