/** Addresses of github.com and of servers of GitHub Enterprise. */
import { expect, test } from "vitest";
import { installationUrl } from "./authorize.ts";
import { archiveOrigins } from "./open-archive.ts";

test.each([
  ["https://github.com", "https://github.com/apps/acme-proofs/installations/new?state=a%26b"],
  ["https://git.acme.example", "https://git.acme.example/github-apps/acme-proofs/installations/new?state=a%26b"],
])("leads to the app's page at %s", (url, expected) => {
  expect(installationUrl({ appSlug: "acme-proofs", url }, { state: "a&b" }).href).toBe(expected);
});

test.each([
  ["https://github.com", ["https://codeload.github.com"]],
  ["https://git.acme.example", ["https://git.acme.example", "https://codeload.git.acme.example"]],
])("accepts archives of %s from %j alone", (url, expected) => {
  expect(archiveOrigins(url)).toEqual(expected);
});
