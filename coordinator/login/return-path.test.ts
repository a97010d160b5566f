import { expect, test } from "vitest";
import { HOME, returnPath } from "./return-path.ts";

test.each([
  ["/services"],
  ["/services/00?tab=logs#end"],
  ["/settings/task-history?state=FAILURE"],
  ["/device"],
  ["/"],
  ["/services?next=https://evil.example"],
])("leads back to the console's page %s", (text) => {
  expect(returnPath(text)).toBe(text);
});

test.each([
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/%2e%2e//evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\u0000//evil.example",
  " //evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http:evil.example",
  "@evil.example",
  ".evil.example",
  "services",
  "/v1/sessions",
  "/V1/login/github",
  "/login?error=unavailable",
  "",
  `/${"a".repeat(1_000)}`,
])("does not lead to %j", (text) => {
  expect(returnPath(text)).toBe(HOME);
});
