/** A service that the key may see. What is unknown, malformed or another team's is refused in the same words and time. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Service } from "../../domain/service.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { notFound } from "../problem.ts";

/** As the view has it where it has it: commits that rest on it say so and fail if it is behind. */
export async function findService(store: Store, key: AccessKey, id: string): Promise<Versioned<Service>> {
  const seen = store.view.services.get(id);
  if (seen !== undefined && mayUseTeam(store.view, key, seen.value.teamId)) return seen;
  return await readService(store, key, id);
}

/** As it is now. */
export async function readService(store: Store, key: AccessKey, id: string): Promise<Versioned<Service>> {
  const service = isId(id) ? await store.get("services", id) : null;
  if (service === null || !mayUseTeam(store.view, key, service.value.teamId)) throw notFound("service");
  return service;
}
