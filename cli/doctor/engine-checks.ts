/** What `elastic doctor` finds of what only some commands need: a container engine here, a registry at the service. */
import type { Caller } from "../api/caller.ts";
import { getRegistry } from "../api/registry.ts";
import { type EnginePlaces, findEngine } from "../engine/find-engine.ts";
import { CliError } from "../errors/cli-error.ts";
import { type Check, failedBy, ok, warn } from "./check.ts";

const NEEDED_FOR = "`elastic build` and deploying images of this machine need one";

export async function checkEngine(where: EnginePlaces, signal: AbortSignal): Promise<Check> {
  try {
    const engine = await findEngine(where);
    try {
      const found = await engine.json<{ readonly Version?: string }>({ method: "GET", path: "/version", signal });
      return ok("engine", `responds, version ${found?.Version ?? "unknown"}`);
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (error instanceof CliError) return warn("engine", error.message, `${NEEDED_FOR}. ${error.next ?? ""}`.trim());
    throw error;
  }
}

export async function checkRegistry(caller: Caller): Promise<Check> {
  try {
    const registry = await getRegistry(caller);
    if (registry !== null) return ok("registry", `the service has one: ${registry.host}`);
    const remedy =
      "Building on the fleet and deploying images of this machine need one; ask the operator, or use images of another registry.";
    return warn("registry", "the service has none", remedy);
  } catch (error) {
    if (error instanceof CliError) return failedBy("registry", error);
    throw error;
  }
}
