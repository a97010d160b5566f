import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newAccessKey, SCOPES } from "../domain/access-key.ts";
import type { Role } from "../domain/role.ts";
import { keyAccess } from "./key-access.ts";

const OWN = newId(1);
const OTHER = newId(2);
const key = newAccessKey({
  id: "k",
  name: "k",
  userId: "u",
  teamId: null,
  defaultTeamId: OWN,
  scopes: ["services"],
  secretSha256: "",
  createdAt: 0,
  expiresAt: null,
});
/** A user who is in the team OWN alone. */
const viewOf = (role: Role) => ({
  memberships: {
    get: (id: string) =>
      id === `u/${OWN}` ? { value: { userId: "u", teamId: OWN, role, createdAt: 0 }, revision: 1 } : undefined,
    values: () => [],
    subscribe: () => () => undefined,
  },
  teams: { get: () => undefined, values: () => [], subscribe: () => () => undefined },
});

function actions(name: string, given: Partial<typeof key> = {}, role: Role = "member"): readonly string[] {
  const wantedAccess = [{ type: "repository", name, actions: ["pull", "push"] }] as const;
  return keyAccess(viewOf(role), { ...key, ...given }, wantedAccess)[0]?.actions ?? [];
}

test("a key pulls and pushes its team's images as far as its scopes go", () => {
  expect(actions(`${OWN}/prover`)).toEqual(["pull", "push"]);
  expect(actions(`${OWN}/prover`, { scopes: ["admin"] })).toEqual(["pull", "push"]);
  expect(actions(`${OWN}/prover`, { scopes: ["tasks:read"] })).toEqual(["pull"]);
  for (const scope of SCOPES) {
    if (["services", "tasks:read", "admin"].includes(scope)) continue;
    expect([scope, actions(`${OWN}/prover`, { scopes: [scope] })]).toEqual([scope, []]);
  }
});

test("lets a viewer pull and not push", () => {
  expect(actions(`${OWN}/prover`, {}, "viewer")).toEqual(["pull"]);
});

test("lets every key pull the site's base images, and those push who run the site", () => {
  expect(actions("library/rust")).toEqual(["pull"]);
  expect(actions("library/rust", { scopes: ["nodes"] })).toEqual(["pull", "push"]);
  for (const name of ["library", "library/a/b", "library/../x", "libraryrust", "Library/rust"]) {
    expect([name, actions(name, { scopes: ["nodes"] })]).toEqual([name, []]);
  }
});

test("no other team's, whatever the key", () => {
  expect(actions(`${OTHER}/prover`)).toEqual([]);
  expect(actions(`${OTHER}/prover`, { scopes: ["admin"] })).toEqual([]);
  expect(actions(`${OWN}/prover`, { teamId: OTHER })).toEqual([]);
});

test("nothing that is not one name in the team's folder", () => {
  for (const name of [
    "",
    OWN,
    `${OWN}/`,
    `${OWN}/a/b`,
    `x${OWN}/a`,
    `${OWN}/../${OTHER}/a`,
    `${OWN}/A`,
    `${OWN}//a`,
    "*",
  ]) {
    expect([name, actions(name)]).toEqual([name, []]);
  }
  expect(actions(`${OWN}/${"a".repeat(300)}`)).toEqual([]);
});

test("grants nothing outside of the team's own folder, whatever is requested", () => {
  const part = fc.constantFrom(OWN, OTHER, "/", "a", "..", ".", "-", "%2f", "\n", "*", ":");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const name = parts.join("");
      if (actions(name).length > 0) expect(name).toMatch(new RegExp(`^${OWN}/[a-z0-9._-]+$`));
    }),
    { numRuns: 2000 },
  );
});
