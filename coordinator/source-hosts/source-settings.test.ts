import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { expect, test } from "vitest";
import { loadConfig } from "../config/config.ts";
import { openSourceHosts } from "../startup/open-source-hosts.ts";

const GITHUB = {
  ELASTIC_SOURCE_GITHUB_APP_ID: "42",
  ELASTIC_SOURCE_GITHUB_APP_SLUG: "elastic",
  ELASTIC_SOURCE_GITHUB_PRIVATE_KEY_FILE: "/key",
  ELASTIC_SOURCE_GITHUB_CLIENT_ID: "Iv1",
  ELASTIC_SOURCE_GITHUB_CLIENT_SECRET_FILE: "/secret",
  ELASTIC_SOURCE_GITHUB_WEBHOOK_SECRET_FILE: "/webhook",
};

const GITLAB = {
  ELASTIC_SOURCE_GITLAB_CLIENT_ID: "application",
  ELASTIC_SOURCE_GITLAB_CLIENT_SECRET_FILE: "/secret",
  ELASTIC_SOURCE_GITLAB_WEBHOOK_SECRET_FILE: "/webhook",
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

test("reads an application of gitlab.com, and one of a self-managed server under another name", () => {
  expect(hosts("gitlab", GITLAB)).toMatchObject([
    { kind: "gitlab", title: "GitLab", url: "https://gitlab.com", setsStatuses: false },
  ]);
  const own = Object.fromEntries(Object.entries(GITLAB).map(([name, text]) => [name.replace("GITLAB", "FORGE"), text]));
  const more = {
    ELASTIC_SOURCE_FORGE_KIND: "gitlab",
    ELASTIC_SOURCE_FORGE_URL: "https://acme.example/gitlab/",
    ELASTIC_SOURCE_FORGE_COMMIT_STATUS: "on",
  };
  expect(hosts("github,forge", { ...GITHUB, ...own, ...more })).toMatchObject([
    { kind: "github" },
    { kind: "gitlab", name: "forge", url: "https://acme.example/gitlab", setsStatuses: true },
  ]);
});

test.each([
  ["gitlab", {}, "ELASTIC_SOURCE_GITLAB_WEBHOOK_SECRET_FILE is needed"],
  ["gitlab", { ...GITLAB, ELASTIC_SOURCE_GITLAB_APP_ID: "1" }, "APP_ID is no setting of a host of kind gitlab"],
  ["gitlab", { ...GITLAB, ELASTIC_SOURCE_GITLAB_COMMIT_STATUS: "yes" }, "COMMIT_STATUS is neither on nor off"],
  ["gitlab", { ...GITLAB, ELASTIC_SOURCE_GITLAB_KIND: "gitea" }, "KIND is none of github, gitlab"],
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
