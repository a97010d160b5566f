import { expect, test } from "vitest";
import { groupsOf, identityOf } from "./oidc-claims.ts";

const OWN = "https://id.acme.example";

test("names an account by what its provider calls it, and finds it by issuer and subject", () => {
  const claims = { iss: OWN, sub: "7", preferred_username: "ada", email: "ada@acme.example", name: "Ada L" };
  expect(identityOf(claims)).toMatchObject({ issuer: OWN, subject: "7", login: "ada" });
  expect(identityOf({ iss: OWN, sub: "7", preferred_username: 7, name: "Ada" }).login).toBe("Ada");
  expect(identityOf({ iss: OWN, sub: "7" }).login).toBe("7");
});

test.each([
  ["a managed account", OWN, { hd: "Acme.Example" }, ["acme.example"]],
  [
    "a verified address of the issuer's domain",
    OWN,
    { email: "a@ACME.example", email_verified: true },
    ["acme.example"],
  ],
  ["an address that is not verified", OWN, { email: "a@acme.example", email_verified: false }, []],
  ["an address that is called verified in text", OWN, { email: "a@acme.example", email_verified: "true" }, []],
  ["an address of another domain", OWN, { email: "a@other.example", email_verified: true }, []],
  [
    "an address at a provider for everybody",
    "https://gitlab.com",
    { email: "a@acme.example", email_verified: true },
    [],
  ],
  ["a domain that only ends alike", "https://evilacme.example", { email: "a@acme.example", email_verified: true }, []],
  ["an address in an address", OWN, { email: "a@acme.example@evil.example", email_verified: true }, []],
  ["no address", OWN, { email_verified: true }, []],
  ["a domain that is no text", OWN, { hd: ["acme.example"] }, []],
] as const)("says which domains a provider vouches for: %s", (_, iss, claims, expected) => {
  expect(identityOf({ iss, sub: "7", ...claims }).domains).toEqual(expected);
});

test("takes groups from a list of texts alone", () => {
  expect(groupsOf({ iss: OWN, sub: "7", groups: ["acme", 7, "", "acme/provers"] })).toEqual(["acme", "acme/provers"]);
  for (const groups of [undefined, "acme", { acme: true }])
    expect(groupsOf({ iss: OWN, sub: "7", groups })).toEqual([]);
});
