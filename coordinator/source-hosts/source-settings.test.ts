import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { expect, test } from "vitest";
import { loadConfig } from "../config.ts";
import { openSourceHosts } from "./open-source-hosts.ts";

const GITHUB = {
  ELASTIC_SOURCE_GITHUB_APP_ID: "42",
  ELASTIC_SOURCE_GITHUB_APP_SLUG: "elastic",
  ELASTIC_SOURCE_GITHUB_PRIVATE_KEY_FILE: "/key",
  ELASTIC_SOURCE_GITHUB_CLIENT_ID: "Iv1",
  ELASTIC_SOURCE_GITHUB_CLIENT_SECRET_FILE: "/secret",
  ELASTIC_SOURCE_GITHUB_WEBHOOK_SECRET_FILE: "/webhook",
};

function hosts(names: string, env: Readonly<Record<string, string>>) {
  return loadConfig({ ELASTIC_SOURCE_HOSTS: names, ...env }, {}).sourceHosts;
}

test("reads an app at GitHub, and one at a server of GitHub Enterprise", () => {
  expect(hosts("", {})).toEqual([]);
  expect(hosts("github", GITHUB)).toMatchObject([
    { name: "github", title: "GitHub", url: "https://github.com", template: null },
  ]);
  const enterprise = Object.fromEntries(
    Object.entries(GITHUB).map(([name, text]) => [name.replace("GITHUB", "CORP_GIT"), text]),
  );
  const more = {
    ELASTIC_SOURCE_CORP_GIT_URL: "https://git.acme.example/",
    ELASTIC_SOURCE_CORP_GIT_TEMPLATE: "acme/prover",
  };
  expect(hosts("corp-git", { ...enterprise, ...more })).toMatchObject([
    { name: "corp-git", url: "https://git.acme.example", template: "acme/prover" },
  ]);
});

test.each([
  ["github", {}, "ELASTIC_SOURCE_GITHUB_APP_ID is needed"],
  ["github", { ...GITHUB, ELASTIC_SOURCE_GITHUB_APP_ID: "x" }, "APP_ID is no number"],
  ["github", { ...GITHUB, ELASTIC_SOURCE_GITHUB_APP_SLUG: "../x" }, "APP_SLUG is no slug"],
  ["github", { ...GITHUB, ELASTIC_SOURCE_GITHUB_URL: "http://git.acme.example" }, "is no https address"],
  ["github", { ...GITHUB, ELASTIC_SOURCE_GITHUB_TEMPLATE: "prover" }, "TEMPLATE is not owner/name"],
  ["github", { ...GITHUB, ELASTIC_SOURCE_GITHUB_APPID: "1" }, "APPID is of no host in ELASTIC_SOURCE_HOSTS"],
  ["", GITHUB, "is of no host in ELASTIC_SOURCE_HOSTS"],
  ["../x", {}, "has a name that none can have"],
] as const)("rejects the hosts %j with %j", (names, env, expected) => {
  expect(() => hosts(names, env)).toThrow(expected);
});

test("does not start with files that cannot be read, or a private key that is none of RSA", () => {
  const dir = mkdtempSync(join(tmpdir(), "source-settings-"));
  try {
    const [settings] = hosts("github", GITHUB);
    if (settings === undefined) throw new Error("no source host");
    const path = join(dir, "file");
    const files = { privateKeyFile: path, clientSecretFile: path, webhookSecretFile: path };
    const open = () => openSourceHosts([{ ...settings, ...files }], systemClock);
    expect(open).toThrow("the client secret of the source host github cannot be read");
    writeFileSync(path, "no key");
    expect(open).toThrow("the private key of the source host github is no RSA key in PEM");
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(open).toThrow("is no RSA key in PEM");
  } finally {
    rmSync(dir, { recursive: true });
  }
});
