/** From an empty browser to a verified proof of a prover that is built from the user's own repository, and rebuilt by a push to it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "@elastic/deploy/template/read-sources.ts";
import { templateFiles } from "@elastic/deploy/template/template-files.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, startBrowser } from "../cluster/browser.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { registerAddresses } from "../cluster/linked-account.ts";
import { pushRustBase } from "../cluster/rust-base-image.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { appSettings, writeAppFiles } from "../github/app-settings.ts";
import { CLIENT } from "../login/code-grants.ts";
import { type GithubHost, startGithubHost } from "../login/github-host.ts";

const folder = makeWorkFolder();
let github: GithubHost;
let cluster: Cluster;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  const secretFile = join(folder.path, "login.secret");
  writeFileSync(secretFile, CLIENT.secret);
  cluster = await startCluster({
    engine: true,
    coordinatorSettings: {
      ELASTIC_LOGIN_PROVIDERS: "github",
      ELASTIC_LOGIN_GITHUB_URL: github.url,
      ELASTIC_LOGIN_GITHUB_CLIENT_ID: CLIENT.id,
      ELASTIC_LOGIN_GITHUB_CLIENT_SECRET_FILE: secretFile,
      ELASTIC_LOGIN_GITHUB_ALLOW: "open",
      ...appSettings("github", github.url, writeAppFiles(folder.path)),
    },
    agentSettings: { ELASTIC_BUILDS: "1", ELASTIC_BUILD_EGRESS: "none" },
  });
  registerAddresses(cluster, github);
  await pushRustBase(cluster.registry?.host ?? "", cluster.firstKey.key);
  browser = await startBrowser({ leadsTo: [github.url] });
}, 180_000);
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const NAME = "poseidon-demo";
const BUILT_WITHIN = { timeout: 120_000 };
const button = (name: string) => page.getByRole("button", { name, exact: true });

test("a user logs in with a source-hosting account", async () => {
  page = await browser.open(cluster.coordinators[0]?.url ?? "");
  await page.getByRole("link", { name: "Continue with GitHub" }).click();
  await page.getByRole("link", { name: "Authorize" }).click();
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
});

test("Try It First with its default values redirects to the source host on a team's first service", async () => {
  await button("Try It First").click();
  await button("Deploy").click();
  await page.getByRole("heading", { name: /^Install / }).waitFor();
  await button("Install").click();
  await page.waitForURL(/\/services\/[0-9a-f]{32}$/);
});

test("deploying the demo prover first creates its template repository in the user's account", async () => {
  const repository = github.app.find("ada", NAME);
  const pushed = repository?.find("main")?.files ?? new Map();
  const template = templateFiles(REPOSITORY);
  expect(repository?.isPrivate).toBe(true);
  expect([...pushed.keys()].sort()).toEqual(template.map(({ path }) => path).sort());
  for (const { path, text } of template) expect(pushed.get(path)?.content.toString(), path).toBe(text);
});

test("the build and deployment pipeline takes the service from Unready to Ready", async () => {
  await page.getByRole("status").getByText("Unready", { exact: true }).waitFor();
  await page.getByRole("heading", { level: 2, name: "Building" }).waitFor();
  await page.getByRole("status").getByText("Ready", { exact: true }).waitFor(BUILT_WITHIN);
  await page
    .getByLabel("endpoint", { exact: true })
    .getByText(/\/v1\/services\/[0-9a-f]{32}$/)
    .waitFor();
});

test("the demo prover proves its default input, and the separate verifier accepts", async () => {
  await button("Run").click();
  await page.getByText("Verified", { exact: true }).waitFor({ timeout: 60_000 });
});

test("a push to the repository is built, proved and deployed", async () => {
  const repository = github.app.find("ada", NAME);
  const commit = repository?.find("main");
  if (repository === null || commit === null || commit === undefined) throw new Error("no repository");
  const program = "src/bin/elastic.rs";
  const text = commit.files.get(program)?.content.toString() ?? "";
  const edited = { content: Buffer.from(text.replace('"proving"', '"proving it"')), isExecutable: false };
  const pushed = await github.app.push(repository, "main", new Map([...commit.files, [program, edited]]), "Say more");
  expect(pushed.response?.status).toBe(204);
  await expect
    .poll(() => repository.statuses.filter(({ sha }) => sha === pushed.commit.sha).at(-1)?.state, BUILT_WITHIN)
    .toBe("success");
  await page.getByRole("status").getByText("Ready", { exact: true }).waitFor();
});
