import { expect, test } from "vitest";
import { ruleFor, type SignUpRule } from "./sign-up-rule.ts";

const OPEN: SignUpRule = { kind: "open", usersPerDayMax: 3 };
const ACME: SignUpRule = { kind: "group", name: "acme" };
const DOMAIN: SignUpRule = { kind: "domain", name: "acme.example" };

test.each([
  ["nobody by default", [], ["acme.example"], ["acme"], null],
  ["a member of a named group", [ACME], [], ["other", "acme"], ACME],
  ["no member of another group", [ACME], [], ["acme2", "acme/sub"], null],
  ["an account of a named domain", [DOMAIN], ["acme.example"], [], DOMAIN],
  ["no account of a domain below it", [DOMAIN], ["evil.acme.example"], [], null],
  ["anybody where it is open", [OPEN], [], [], OPEN],
  ["a member without counting against what is open to anybody", [OPEN, ACME], [], ["acme"], ACME],
] as const)("lets in %s", (_, rules, domains, groups, expected) => {
  expect(ruleFor({ domains }, groups, rules)).toBe(expected);
});
