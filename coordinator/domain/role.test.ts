import { expect, test } from "vitest";
import { type Permission, permissionOver, ROLES, type Role, roleMay } from "./role.ts";

const PERMISSIONS: readonly Permission[] = ["read", "tasks", "services", "shells", "keys", "members", "team", "owners"];

test.each<[Role, readonly Permission[]]>([
  ["viewer", ["read"]],
  ["member", ["read", "tasks", "services", "shells", "keys"]],
  ["admin", ["read", "tasks", "services", "shells", "keys", "members", "team"]],
  ["owner", PERMISSIONS],
])("gives the role %s its permissions and no other", (role, permissions) => {
  expect(PERMISSIONS.filter((permission) => roleMay(role, permission))).toEqual(permissions);
});

test("lets only owners make, change and remove owners, and admins all others", () => {
  for (const role of ROLES) {
    expect([role, roleMay("owner", permissionOver(role))]).toEqual([role, true]);
    expect([role, roleMay("admin", permissionOver(role))]).toEqual([role, role !== "owner"]);
    expect([role, roleMay("member", permissionOver(role))]).toEqual([role, false]);
  }
});
