/**
 * A role opens everything of a team that it allows, by sessions and keys of the user who has it. So only a key that opens
 * everything itself gives one: a key of one scope would else make a user of all.
 */
import { hasScope } from "../../auth/authorize.ts";
import { type AccessKey, USER_SCOPES } from "../../domain/access-key.ts";
import { Problem } from "../problems/problem.ts";

/** Throws the problem `scope_missing`. */
export function refuseBeyondScopes(caller: AccessKey): void {
  const missing = USER_SCOPES.filter((scope) => !hasScope(caller, scope));
  if (missing.length === 0) return;
  const detail = `To give a role, an access key needs every scope of a user; this one lacks ${missing.join(", ")}.`;
  throw new Problem("scope_missing", detail);
}
