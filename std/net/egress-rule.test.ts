import { expect, test } from "vitest";
import { covers, type EgressRule, egressRuleText, parseEgressRule } from "./egress-rule.ts";

function rule(text: string): EgressRule {
  const parsed = parseEgressRule(text);
  if (parsed === null) throw new Error(`${text} is no rule`);
  return parsed;
}

test("a rule is a host, all names below one, or whatever has a name, at one port", () => {
  const texts = [
    ["Crates.io", "crates.io:443"],
    ["deb.example.org:80", "deb.example.org:80"],
    ["*.crates.io", "*.crates.io:443"],
    ["*:80", "*:80"],
    ["192.0.2.1:8443", "192.0.2.1:8443"],
    ["[2001:DB8::1]:443", "[2001:db8::1]:443"],
  ] as const;
  for (const [text, shown] of texts) expect(egressRuleText(rule(text))).toBe(shown);
});

test("what could be read in two ways is no rule", () => {
  const wrong = [
    "",
    "a b",
    "a:0",
    "a:65536",
    "a:1:2",
    "http://a",
    "a/b",
    "*a",
    "a.*",
    "**",
    "*.",
    "-a",
    "a..b",
    "a.",
    "[a]",
  ];
  for (const text of [...wrong, "[1.2.3]", `${"a.".repeat(130)}a`])
    expect([text, parseEgressRule(text)]).toEqual([text, null]);
});

test("a wider rule covers what it lets through, and nothing else", () => {
  const pairs: readonly (readonly [wide: string, narrow: string, covered: boolean])[] = [
    ["crates.io", "crates.io:443", true],
    ["crates.io", "crates.io:80", false],
    ["crates.io", "static.crates.io", false],
    ["*.crates.io", "static.crates.io", true],
    ["*.crates.io", "*.crates.io", true],
    ["*.crates.io", "*.static.crates.io", true],
    ["*.crates.io", "crates.io", false],
    ["*.crates.io", "evilcrates.io", false],
    ["*.crates.io", "*", false],
    ["crates.io", "*.crates.io", false],
    ["*", "crates.io", true],
    ["*", "*", true],
    ["*", "169.254.169.254", false],
    ["*", "[::1]", false],
    ["192.0.2.1", "192.0.2.1", true],
  ];
  for (const [wide, narrow, covered] of pairs) {
    expect([wide, narrow, covers(rule(wide), rule(narrow))]).toEqual([wide, narrow, covered]);
  }
});
