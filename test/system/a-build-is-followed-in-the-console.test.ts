/** Builds on the fleet as a user sees them: live steps, the line that failed, a retry without cache, and a deployment. */
import { pushBusybox } from "@elastic/agent/builds/testing/push-busybox.ts";
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, startBrowser } from "../cluster/browser.ts";
import { createBuild } from "../cluster/build-source.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";
import { violationsOf } from "../console/accessibility.ts";

let cluster: Cluster;
let browser: Browser;

beforeAll(async () => {
  cluster = await startCluster({
    registry: true,
    agentSettings: { ELASTIC_BUILDS: "1", ELASTIC_BUILD_EGRESS: "none" },
  });
  browser = await startBrowser();
  await pushBusybox(cluster.registry?.host ?? "", cluster.firstKey.key);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

async function logIn(): Promise<Page> {
  const url = cluster.coordinators[0]?.url ?? "";
  const store = { etcd: [cluster.etcd.endpoint], path: programPath() };
  const page = await browser.open(await loginLink(store, { user: "tester", url }));
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  return page;
}

function step(page: Page, number: number) {
  return page.getByRole("log").getByRole("region", { name: `Step ${number}`, exact: true });
}

test("shows what a build writes as it runs, and cancels it", async () => {
  const client = cluster.client();
  const { service_id: serviceId } = await client.createService("followed");
  const page = await logIn();
  await page.goto(`${client.url}/services/${serviceId}/builds`);
  await page.getByText("Nothing was built on the fleet yet").waitFor();
  const file = "FROM busybox:1\nRUN echo it-runs && sleep 1000\n";
  await createBuild(client, serviceId, [["Dockerfile", file]], { tag: "endless" });
  // Nothing reloads the list.
  await page.getByRole("link", { name: "endless" }).click();
  await page.getByRole("log").getByText("it-runs", { exact: true }).waitFor();
  await page.getByText("Running", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel Build" }).click();
  await page.getByText("Cancelled", { exact: true }).waitFor();
});

test("names the line that failed, folds and searches the steps, and builds again without cache", async () => {
  const client = cluster.client();
  const { service_id: serviceId } = await client.createService("broken");
  const file = "FROM busybox:1\nRUN echo the-first-step\nRUN echo it-runs && printf '\\033[31mred\\n' && exit 7\n";
  await createBuild(client, serviceId, [["Dockerfile", file]], { tag: "broken" });
  const page = await logIn();
  await page.goto(`${client.url}/services/${serviceId}/builds`);
  await page.getByRole("link", { name: "broken" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "The build failed at line 3 of Dockerfile" });
  await failed.getByText("build_failed").waitFor();
  await failed.getByText("What to do").waitFor();
  await page
    .getByRole("log")
    .getByText(/it-runs\s+red\s+ERROR/)
    .waitFor();
  const first = step(page, 5);
  expect(await first.getByRole("button").getAttribute("aria-expanded")).toBe("false");
  await first.getByRole("button").click();
  await first.getByText("the-first-step", { exact: true }).waitFor();
  await page.getByLabel("Search the log").fill("THE-FIRST");
  await expect.poll(() => page.getByRole("log").getByRole("region").count()).toBe(1);
  expect(await violationsOf(page)).toEqual([]);

  const before = page.url();
  await page.getByRole("button", { name: "Retry Without Cache" }).click();
  await page.waitForURL((url) => url.href !== before);
  await failed.waitFor();
});

test("leads from an image to its deployment", async () => {
  const client = cluster.client();
  const { service_id: serviceId } = await client.createService("deployed");
  const file = 'FROM busybox:1\nRUN echo > /prover\nENTRYPOINT ["/prover"]\n';
  await createBuild(client, serviceId, [["Dockerfile", file]], { tag: "good" });
  const page = await logIn();
  await page.goto(`${client.url}/services/${serviceId}/builds`);
  await page.getByRole("link", { name: "good" }).click();
  await page.getByText("Succeeded", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Deploy", exact: true }).click();
  await expect
    .poll(() => page.getByLabel("Image", { exact: true }).inputValue())
    .toMatch(/\/deployed@sha256:[0-9a-f]{64}$/);
});
