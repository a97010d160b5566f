/** Addresses of github.com and of servers of GitHub Enterprise. */
import { expect, test } from "vitest";
import { installationUrl } from "./authorize.ts";
import { archiveOrigins } from "./open-archive.ts";

const SETTINGS = {
  name: "github",
  title: "GitHub",
  appId: "1",
  appSlug: "acme-proofs",
  privateKeyFile: "/key",
  clientId: "id",
  clientSecretFile: "/secret",
  webhookSecretFile: "/webhook",
  template: null,
};

test.each([
  ["https://github.com", "https://github.com/apps/acme-proofs/installations/new?state=a%26b"],
  ["https://git.acme.example", "https://git.acme.example/github-apps/acme-proofs/installations/new?state=a%26b"],
])("leads to the app's page at %s", (url, expected) => {
  expect(installationUrl({ ...SETTINGS, url }, { state: "a&b", verifier: "" }).href).toBe(expected);
});

test.each([
  ["https://github.com", ["https://codeload.github.com"]],
  ["https://git.acme.example", ["https://git.acme.example", "https://codeload.git.acme.example"]],
])("accepts archives of %s from %j alone", (url, expected) => {
  expect(archiveOrigins(url)).toEqual(expected);
});
