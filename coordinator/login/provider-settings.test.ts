import { systemClock } from "@elastic/std/clock.ts";
import { expect, test } from "vitest";
import { loadConfig } from "../config/config.ts";
import { openProviders } from "./open-providers.ts";

const GITHUB = { ELASTIC_LOGIN_GITHUB_CLIENT_ID: "id", ELASTIC_LOGIN_GITHUB_CLIENT_SECRET_FILE: "/secret" };
const CORP = {
  ELASTIC_LOGIN_CORP_ID_URL: "https://id.acme.example",
  ELASTIC_LOGIN_CORP_ID_CLIENT_ID: "id",
  ELASTIC_LOGIN_CORP_ID_CLIENT_SECRET_FILE: "/secret",
};

function providers(names: string, env: Readonly<Record<string, string>>) {
  return loadConfig({ ELASTIC_LOGIN_PROVIDERS: names, ...env }, {}).loginProviders;
}

test("takes GitHub with an id and a secret, and lets nobody in without an invitation", () => {
  const defaults = { kind: "github", title: "GitHub", url: "https://github.com", signUp: [] };
  expect(providers("github", GITHUB)).toEqual([
    { name: "github", ...defaults, clientId: "id", clientSecretFile: "/secret" },
  ]);
  expect(providers("", {})).toEqual([]);
});

test("takes several at once, by names of the operator's", () => {
  const enterprise = {
    ...GITHUB,
    ELASTIC_LOGIN_GITHUB_URL: "https://git.acme.example/",
    ELASTIC_LOGIN_GITHUB_ALLOW: "org:Acme, open:5",
  };
  const corp = {
    ...CORP,
    ELASTIC_LOGIN_CORP_ID_TITLE: "Acme",
    ELASTIC_LOGIN_CORP_ID_ALLOW: "group:a/b,domain:Acme.example",
  };
  expect(providers("github,corp-id", { ...enterprise, ...corp })).toMatchObject([
    {
      url: "https://git.acme.example",
      signUp: [
        { kind: "group", name: "acme" },
        { kind: "open", usersPerDayMax: 5 },
      ],
    },
    {
      kind: "oidc",
      title: "Acme",
      url: "https://id.acme.example",
      signUp: [
        { kind: "group", name: "a/b" },
        { kind: "domain", name: "acme.example" },
      ],
    },
  ]);
});

test.each([
  ["github", {}, "ELASTIC_LOGIN_GITHUB_CLIENT_ID is needed"],
  ["github", { ...GITHUB, ELASTIC_LOGIN_GITHUB_CLINT_ID: "x" }, "ELASTIC_LOGIN_GITHUB_CLINT_ID is of no provider"],
  ["github", { ...GITHUB, ELASTIC_LOGIN_GITHUB_ALLOW: "group:acme" }, 'ALLOW "group:acme" is no rule of github'],
  ["github", { ...GITHUB, ELASTIC_LOGIN_GITHUB_ALLOW: "org:" }, 'ALLOW "org:" is no rule of github'],
  ["github", { ...GITHUB, ELASTIC_LOGIN_GITHUB_URL: "http://git.acme.example" }, "is no https address"],
  ["github", { ...GITHUB, ELASTIC_LOGIN_GITHUB_KIND: "bitbucket" }, "KIND is none of github, gitlab, oidc"],
  ["corp-id", { ...CORP, ELASTIC_LOGIN_CORP_ID_URL: "" }, "ELASTIC_LOGIN_CORP_ID_URL is needed: the issuer"],
  ["corp-id", { ...CORP, ELASTIC_LOGIN_CORP_ID_ALLOW: "domain:example" }, "is no rule of oidc"],
  ["corp-id", { ...CORP, ELASTIC_LOGIN_CORP_ID_ALLOW: "open:many" }, "is no rule of oidc"],
  ["", GITHUB, "ELASTIC_LOGIN_GITHUB_CLIENT_ID is of no provider in ELASTIC_LOGIN_PROVIDERS"],
  ["providers", {}, "ELASTIC_LOGIN_PROVIDERS (--login-providers) has a name that none can have"],
  ["../x", {}, "has a name that none can have"],
] as const)("rejects the providers %j with %j", (names, env, expected) => {
  expect(() => providers(names, env)).toThrow(expected);
});

test("does not start with a client secret that cannot be read or is empty", () => {
  const [provider] = providers("github", { ...GITHUB, ELASTIC_LOGIN_GITHUB_CLIENT_SECRET_FILE: "/dev/null" });
  if (provider === undefined) throw new Error("no provider");
  const open = (clientSecretFile: string) => () => openProviders([{ ...provider, clientSecretFile }], systemClock);
  expect(open("/dev/null")).toThrow("the client secret of the login provider github is empty: /dev/null");
  expect(open("/absent")).toThrow("the client secret of the login provider github cannot be read: /absent");
});
