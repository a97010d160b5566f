/** A repository is chosen, built and pushed to in the console; what fails is shown with its line, and what ends at the host too. */
import { pushBusybox } from "@elastic/agent/builds/testing/push-busybox.ts";
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { registerAddresses } from "../cluster/linked-account.ts";
import { programPath } from "../cluster/machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { violationsOf } from "../console/accessibility.ts";
import { appSettings, writeAppFiles } from "../github/app-settings.ts";
import { filesOf } from "../github/memory-repository.ts";
import { startGithubHost } from "../login/github-host.ts";

test("a service is set to a repository, built by a click and by a push, and separated from it", async () => {
  using folder = makeWorkFolder();
  await using github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  await using cluster = await startCluster({
    registry: true,
    coordinatorSettings: appSettings("github", github.url, writeAppFiles(folder.path)),
    agentSettings: { ELASTIC_BUILDS: "1", ELASTIC_BUILD_EGRESS: "none" },
  });
  registerAddresses(cluster, github);
  await pushBusybox(cluster.registry?.host ?? "", cluster.firstKey.key);
  const repository = github.app.addRepository(
    { owner: "ada", name: "prover" },
    filesOf({ "one/Dockerfile": "FROM busybox:1\nRUN exit 3\n" }),
  );
  const client = cluster.client();
  const { service_id: serviceId } = await client.createService("pushed");
  await using browser = await startBrowser({ leadsTo: [github.url] });
  const store = { etcd: [cluster.etcd.endpoint], path: programPath() };
  const page = await browser.open(await loginLink(store, { user: "tester", url: client.url }));
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const region = (name: string) => page.getByRole("region", { name });

  await page.goto(`${client.url}/services/${serviceId}/source`);
  await page.getByText("This service is built from no repository.").waitFor();
  await button("Connect GitHub").click();
  await button("Install").click();
  await page.getByText("The account ada is connected.").waitFor();
  await page.getByRole("combobox", { name: "Repository" }).click();
  await page.getByRole("option", { name: "ada/prover" }).click();
  expect(await page.getByRole("textbox", { name: "Branch" }).inputValue()).toBe("main");
  await page.getByRole("textbox", { name: "Folder" }).fill("one");
  await button("Save Source").click();
  await region("Repository").getByText("Connected", { exact: true }).waitFor();
  const link = region("Repository").getByRole("link", { name: "ada/prover" });
  expect(await link.getAttribute("href")).toBe(`${github.url}/ada/prover`);

  // An invalid ref is reported at its field, and nothing is built.
  const ref = page.getByRole("textbox", { name: "Branch, tag or commit" });
  await ref.fill("a..b");
  await button("Build and Deploy").click();
  await region("Build Now").getByText("is no branch, tag or commit").waitFor();
  await ref.fill("");
  await button("Build and Deploy").click();
  await page.getByRole("heading", { name: "The newest build failed" }).waitFor();
  await page.getByText("The build failed at line 2 of Dockerfile").waitFor();
  await github.app.push(
    repository,
    "main",
    filesOf({ "one/Dockerfile": "FROM busybox:1\n\nRUN exit 4\n" }),
    "Second\n\nx",
  );
  // Nobody reloads the page.
  await page.getByRole("heading", { name: "The newest push failed" }).waitFor();
  await page.getByText("The build failed at line 3 of Dockerfile").waitFor();
  await region("Build and deployment").getByText("Second").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Builds", exact: true }).click();
  await page.getByRole("row", { name: /Failed .* Second a push Not deployed/ }).waitFor();

  // On a phone the table is wider than the page, and shows that it scrolls.
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator('[data-orientation="horizontal"][data-state="visible"]').waitFor();
  await page.setViewportSize(size);

  await page.goto(`${client.url}/services/new`);
  await page.getByText("From a Repository", { exact: true }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("refused");
  await page.getByRole("combobox", { name: "Repository" }).click();
  await page.getByRole("option", { name: "ada/prover" }).click();
  await page.getByRole("textbox", { name: "Branch" }).fill("nosuch");
  await button("Build and Deploy").click();
  await page.getByText("is not in the repository").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  const { items } = (await client.call("/v1/services")).json as { items: readonly { service_name: string }[] };
  expect(items.map(({ service_name: name }) => name)).toEqual(["pushed"]);
  await page.goto(`${client.url}/services/${serviceId}`);

  await page.getByRole("link", { name: "Source", exact: true }).click();
  await region("Repository").getByText("Connected", { exact: true }).waitFor();
  const [installation] = github.app.installations.values();
  if (installation !== undefined) await github.app.uninstall(installation);
  await page.getByText("The access was ended at GitHub.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Connections of the team" }).click();
  await page.getByRole("article", { name: "ada at GitHub" }).getByText("uninstalled", { exact: true }).waitFor();
  await button("Delete the connection to ada at GitHub").click();
  await page.getByRole("dialog").getByText("still serving: pushed.").waitFor();
  await button("Delete").click();
  await page.getByText("No account is connected.").waitFor();
  await page.goto(`${client.url}/services/${serviceId}`);
  await page.getByText("The repository cannot be read").waitFor();
  expect(await button("Build and Deploy").count()).toBe(0);
  await page.goto(`${client.url}/services/${serviceId}/source`);
  await page.getByText("The team's connection was deleted.").waitFor();
  await button("Remove the repository from the service").click();
  await button("Remove").click();
  await page.getByText("This service is built from no repository.").waitFor();
});
