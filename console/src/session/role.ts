/** What the roles in a team are, the highest first. The service decides what each may do; pages leave out what it would reject. */
import type { components } from "elastic-client/gen/schema.ts";

export type Role = components["schemas"]["Member"]["role"];

export const ROLES: readonly Role[] = ["owner", "admin", "member", "viewer"];

export function isAtLeast(role: Role, lowest: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(lowest);
}

/** Those that one of `role` may give to others, and take from them. */
export function rolesBelow(role: Role): readonly Role[] {
  if (role === "owner") return ROLES;
  return isAtLeast(role, "admin") ? ROLES.filter((one) => one !== "owner") : [];
}
