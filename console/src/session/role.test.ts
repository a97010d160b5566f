import { expect, test } from "vitest";
import { isAtLeast, ROLES, rolesBelow } from "./role.ts";

test("orders roles from owner to viewer", () => {
  expect(ROLES.filter((role) => isAtLeast(role, "member"))).toEqual(["owner", "admin", "member"]);
});

test("lets owners give every role, admins all but that of owner, and others none", () => {
  expect(ROLES.map((role) => rolesBelow(role).length)).toEqual([4, 3, 0, 0]);
  expect(rolesBelow("admin")).not.toContain("owner");
});
