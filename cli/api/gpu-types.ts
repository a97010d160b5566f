import { CliError } from "../errors/cli-error.ts";
import { type Caller, call } from "./client.ts";

export interface GpuType {
  readonly gpu_type: string;
  readonly total: number;
  readonly free: number;
}

/** What the fleet has; nothing where the service does not tell. */
export async function listGpuTypes(caller: Caller): Promise<readonly GpuType[]> {
  try {
    return ((await call(caller, { method: "GET", path: "/v1/gpu-types" })) as { readonly items: GpuType[] }).items;
  } catch (error) {
    if (error instanceof CliError && error.code === "route_not_found") return [];
    throw error;
  }
}
