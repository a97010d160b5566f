/** What a member of a team may do there. The one table of it; `http/access/permission.ts` says what takes which. */

/** The highest first. Each may do what the roles after it may. */
export const ROLES = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** The lowest role that may do it. */
const ROLE_FOR = {
  /** See what the team has: services, tasks with their results, volumes, shells without the way into them. */
  read: "viewer",
  /** Create and cancel tasks. */
  tasks: "member",
  /** Change services and what belongs to them: deployments, volumes, images, webhooks and their secrets. */
  services: "member",
  /** Create, start, stop and delete shells, and log into them. */
  shells: "member",
  /** Create access keys of one's own. */
  keys: "member",
  /** Invite and remove members and change roles, but those of owners; read the audit log. */
  members: "admin",
  /** Rename the team. */
  team: "admin",
  /** Make an owner, remove one, or give one a lower role; delete the team. */
  owners: "owner",
} as const satisfies Readonly<Record<string, Role>>;

export type Permission = keyof typeof ROLE_FOR;

export function roleFor(permission: Permission): Role {
  return ROLE_FOR[permission];
}

export function roleMay(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(ROLE_FOR[permission]);
}

/** What it takes to give somebody the role, or to take it from them. */
export function permissionOver(role: Role): Permission {
  return role === "owner" ? "owners" : "members";
}
