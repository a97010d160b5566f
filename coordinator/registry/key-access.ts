/** What an access key may do in the registry: its teams' repositories, by its scopes and its user's role, and nothing else. */
import { hasScope, mayDo } from "../auth/authorize.ts";
import type { AccessKey, Scope } from "../domain/access-key.ts";
import type { Permission } from "../domain/role.ts";
import type { View } from "../store/store.ts";
import { type Access, type Action, allowedOf } from "./scope.ts";
import { isOfSite, teamOfRepository } from "./team-repository.ts";

/** Who may see a service may have its image. */
const SCOPES: Readonly<Record<Action, readonly Scope[]>> = {
  pull: ["services", "tasks:read"],
  push: ["services"],
};

const PERMISSIONS: Readonly<Record<Action, Permission>> = { pull: "read", push: "services" };

export function keyAccess(
  view: Pick<View, "memberships" | "teams">,
  key: AccessKey,
  requested: readonly Access[],
): readonly Access[] {
  return allowedOf(requested, (repository, action) => {
    // Base images of the site: read by all, written by those who run it.
    if (isOfSite(repository)) return action === "pull" || hasScope(key, "nodes");
    const teamId = teamOfRepository(repository);
    if (teamId === null || !mayDo(view, key, teamId, PERMISSIONS[action])) return false;
    return SCOPES[action].some((scope) => hasScope(key, scope));
  });
}
