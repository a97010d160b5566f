/** Try It First with a source host: declined, begun by a link alone, broken off, revoked, and without a repository. */
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, startBrowser } from "../cluster/browser.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { registerAddresses } from "../cluster/linked-account.ts";
import { programPath } from "../cluster/machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { appSettings, writeAppFiles } from "../github/app-settings.ts";
import { type GithubHost, startGithubHost } from "../login/github-host.ts";

const folder = makeWorkFolder();
let github: GithubHost;
let cluster: Cluster;
let browser: Browser;
let page: Page;
let url: string;

beforeAll(async () => {
  github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  // No machine builds here: a build waits.
  cluster = await startCluster({
    registry: true,
    coordinatorSettings: appSettings("github", github.url, writeAppFiles(folder.path)),
  });
  registerAddresses(cluster, github);
  url = cluster.coordinators[0]?.url ?? "";
  browser = await startBrowser({ leadsTo: [github.url] });
  page = await browser.open(
    await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url }),
  );
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
  await github[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const alert = (text: string) => page.getByRole("alert").getByText(text);

async function openDialog(name: string): Promise<void> {
  await page.goto(`${url}/services`);
  await button("Try It First").click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
}

async function isBeingBuilt(name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.getByRole("region", { name: "Build and deployment" }).getByText("Waits for").waitFor();
}

/** How many there are of a name: repositories of the account, services, and builds of these. */
async function counts(name: string): Promise<readonly number[]> {
  const client = cluster.client();
  const items = async (path: string) =>
    ((await client.call(path)).json as { items: readonly Readonly<Record<string, string>>[] }).items;
  const services = (await items("/v1/services?size=100")).filter(({ service_name }) => service_name === name);
  const builds = await Promise.all(services.map(({ service_id }) => items(`/v1/services/${service_id}/builds`)));
  const repositories = [...github.app.repositories.values()].filter((one) => one.name === name);
  return [repositories.length, services.length, builds.flat().length];
}

test("shows that the user declined at the host, and resumes from there with the same name", async () => {
  await openDialog("first");
  await button("Deploy").click();
  await button("Install").waitFor();
  const state = new URL(page.url()).searchParams.get("state");
  await page.goto(`${url}/v1/source-hosts/github/callback?error=access_denied&state=${state}`);
  await alert("You declined the authorization at GitHub.").waitFor();
  expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("first");
  expect(await counts("first")).toEqual([0, 0, 0]);
  await button("Deploy").click();
  await button("Install").click();
  await isBeingBuilt("first");
  expect(await counts("first")).toEqual([1, 1, 1]);
});

test("begins nothing by an address alone, and nothing again when the page is loaded again", async () => {
  const { items } = (await cluster.client().call("/v1/source-connections")).json as {
    items: readonly { connection_id: string }[];
  };
  await page.goto(`${url}/services?connection_id=${items[0]?.connection_id}`);
  await page.getByText("The account ada is connected.").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(github.app.repositories.size).toBe(1);
});

test("resumes where it was interrupted, with the repository and the service that it has", async () => {
  await openDialog("second");
  await button("Deploy").click();
  // The authorization was used up by the first repository.
  await alert("needs a recent authorization").waitFor();
  await page.route(/\/source$/, (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await button("Authorize Again").click();
  await page.getByRole("link", { name: "Authorize" }).click();
  await alert("The service cannot be reached.").waitFor();
  expect(await counts("second")).toEqual([1, 1, 0]);

  await page.unroute(/\/source$/);
  // Loaded again, the page offers it with its name, and begins nothing.
  await page.goto(`${url}/services`);
  await page.getByText("The account is connected; continue with Deploy.").waitFor();
  expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("second");
  expect(await counts("second")).toEqual([1, 1, 0]);
  await button("Close").click();
  await page.getByRole("link", { name: "second", exact: true }).click();
  await page.getByRole("heading", { name: "Nothing runs here yet" }).waitFor();
  await openDialog("second");
  await button("Deploy").click();
  await button("Build from ada/second as It Is").click();
  await isBeingBuilt("second");
  expect(await counts("second")).toEqual([1, 1, 1]);

  await openDialog("second");
  await button("Deploy").click();
  await isBeingBuilt("second");
  expect(await counts("second")).toEqual([1, 1, 1]);
});

test("shows that the app was uninstalled in between, and connects the account again", async () => {
  await openDialog("third");
  await page.getByRole("combobox", { name: "Account" }).waitFor();
  const [installation] = github.app.installations.values();
  // GitHub's event is lost.
  github.app.webhookUrl = null;
  if (installation !== undefined) await github.app.uninstall(installation);
  await button("Deploy").click();
  // Where the page has read again meanwhile, it leads to the installation at once.
  const again = button("Connect Again");
  await again.or(button("Install")).waitFor();
  if (await again.isVisible()) await again.click();
  await button("Install").click();
  await isBeingBuilt("third");
  expect(await counts("third")).toEqual([1, 1, 1]);
});

test("deploys the builtin prover where no repository is wanted", async () => {
  await openDialog("fourth");
  await button("Without a Repository").click();
  await page.getByRole("status").getByText("Ready", { exact: true }).waitFor();
  await button("Run").click();
  await page.getByText("Verified", { exact: true }).waitFor();
  expect(await counts("fourth")).toEqual([0, 1, 0]);
});
