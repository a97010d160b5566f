/** A service that the key may see. What is unknown, malformed or another team's is refused in the same words and time. */
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Service } from "../../domain/service.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Store } from "../../store/store.ts";
import { readVisible } from "../access/read-visible.ts";

/** As the view has it where it has it: commits that rest on it say so and fail if it is behind. */
export async function findService(store: Store, key: AccessKey, id: string): Promise<Versioned<Service>> {
  const seen = store.view.services.get(id);
  if (seen !== undefined && mayUseTeam(store.view, key, seen.value.teamId)) return seen;
  return await readVisible(store, key, "services", id);
}
