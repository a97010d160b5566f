import { CliError } from "../errors/cli-error.ts";
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { RegistryRecord } from "./records.ts";

/** Where the caller's team pushes images to; null where the service has no registry. */
export async function getRegistry(caller: Caller): Promise<RegistryRecord | null> {
  try {
    return (await call(caller, { method: "GET", path: "/v1/registry" })) as RegistryRecord;
  } catch (error) {
    // One from before there were registries has no such path.
    if (error instanceof CliError && ["no_registry", "route_not_found"].includes(error.code)) return null;
    throw error;
  }
}
