/**
 * Claims a service's name for the commit that creates the service, and frees it with the one that deletes it. Only the
 * claim decides between two who create at the same time, at whichever coordinators.
 */
import type { Service } from "../../domain/service.ts";
import { isSameName, type ServiceNameClaim, serviceNameId } from "../../domain/service-name.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { put, remove } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";
import { Problem } from "../problems/problem.ts";

type NamedService = Pick<Service, "id" | "teamId" | "name">;

/** The change that claims the name. Throws the refusal where another service of the team has it. */
export async function claimName(store: Store, { id, teamId, name }: NamedService): Promise<Change> {
  const claim: ServiceNameClaim = { id: serviceNameId(teamId, name), teamId, serviceId: id };
  const taken = await store.get("service-names", claim.id);
  const holder = unclaimedHolder(store, teamId, name) ?? (await holderOf(store, taken));
  if (holder !== null) throw nameTaken(holder);
  return put("service-names", taken, claim);
}

/** The change that frees it; none for a service that has no claim. */
export async function freeName(store: Store, { id, teamId, name }: NamedService): Promise<readonly Change[]> {
  const claim = await store.get("service-names", serviceNameId(teamId, name));
  return claim?.value.serviceId === id ? [remove("service-names", claim)] : [];
}

/** Services from before there were claims have none, and may share a name. */
function unclaimedHolder({ view }: Store, teamId: string, name: string): Service | null {
  for (const { value } of view.services.values()) {
    if (value.teamId === teamId && value.state.kind !== "deleted" && isSameName(value.name, name)) return value;
  }
  return null;
}

/** Null for a claim that was left behind by a service that is gone. */
async function holderOf(store: Store, claim: Versioned<ServiceNameClaim> | null): Promise<Service | null> {
  const service = claim === null ? null : await store.get("services", claim.value.serviceId);
  return service === null || service.value.state.kind === "deleted" ? null : service.value;
}

function nameTaken({ name, id }: Service): Problem {
  const detail =
    `The team has a service named ${name} (${id}). Names of services are unique in a team, whatever their upper and ` +
    "lower case; deleting a service frees its name.";
  return new Problem("service_name_taken", detail, { errors: [{ pointer: "#/service_name", detail: "is taken" }] });
}
