/**
 * Without a terminal: a pushed image is deployed, a failed deployment is explained and rolled back, a webhook is tested,
 * tasks are found, cancelled and exported, and a key is created and revoked.
 */
import { readFileSync } from "node:fs";
import { startReceiver } from "@elastic/coordinator/egress/testing/receiver.ts";
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, startBrowser } from "../cluster/browser.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { programPath } from "../cluster/machine.ts";
import { violationsOf } from "../console/accessibility.ts";
import { ALLOW_RECEIVERS } from "./webhook-scenario.ts";

/** More than the rows that a window shows, and than a page of the list. */
const TASKS = 120;

const noEngine = await whyNoEngineHere();

let cluster: Cluster;
let browser: Browser;

beforeAll(async () => {
  cluster = await startCluster({
    engine: noEngine === null,
    coordinatorSettings: ALLOW_RECEIVERS,
    agentSettings: { ELASTIC_SLOTS: "4" },
  });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

async function logIn(): Promise<Page> {
  const url = cluster.coordinators[0]?.url ?? "";
  return await browser.open(
    await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url }),
  );
}

test.skipIf(noEngine !== null)(
  "a user deploys, breaks and mends a service and sees what its webhook is sent",
  async () => {
    await cluster.publish("misbehave");
    const page = await logIn();
    await deployPushedImage(page);
    await page.getByRole("status").getByText("Ready", { exact: true }).waitFor();
    await runAndRead(page, '{"n":1}');

    await deployWith(page, "MISBEHAVE", "exit");
    const failed = page
      .getByRole("alert")
      .filter({ hasText: "The deployment failed while waiting for the prover to be healthy" });
    await failed.getByText("What to do").waitFor();
    await failed.getByLabel("End of the log").getByText("misbehave:").waitFor();
    await page.getByRole("status").getByText("Ready", { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await deployWith(page, "LEVEL", "secret value");
    const [mended, , first] = [0, 1, 2].map((index) => page.getByRole("article").nth(index));
    await mended?.getByText("Ready", { exact: true }).waitFor();
    await button(page, "Compare").click();
    await page.getByRole("row", { name: "Environment variables MISBEHAVE LEVEL" }).waitFor();
    await first?.getByRole("button", { name: "Roll back to this" }).click();
    await page.getByRole("article").first().getByText("Goes back to deployment").waitFor();
    await page.getByRole("article").first().getByText("Ready", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("secret value");

    await testWebhook(page);
  },
);

test("a user finds, cancels and exports tasks by the filters of a link", async () => {
  const client = cluster.client();
  const { service_id: id } = await client.readyService("sleepy", { image: "builtin:sleep" });
  const posted = Array.from({ length: TASKS }, () => client.postTask(id, '{"ms":600000}'));
  const [oldest = ""] = (await Promise.all(posted)).map(({ task_id }) => task_id).sort();
  const page = await logIn();
  await page.getByRole("link", { name: "Task History" }).waitFor();
  // As the specification spells it.
  await page.goto(new URL("/settings/task-hisotry", page.url()).href);
  await page.getByRole("heading", { name: "Task History" }).waitFor();
  await choose(page, "Service", "sleepy");
  await page.getByRole("status").getByText(`${TASKS} tasks`).waitFor();
  expect(page.url()).toContain(`service_id=${id}`);

  await page
    .getByRole("checkbox", { name: /^Select [0-9a-f]{32}$/ })
    .nth(0)
    .check();
  await page
    .getByRole("checkbox", { name: /^Select [0-9a-f]{32}$/ })
    .nth(1)
    .check();
  await button(page, "Cancel 2 Selected").click();
  await confirm(page, 2);
  await choose(page, "State", "PENDING");
  await button(page, "Cancel All Matching").click();
  await confirm(page, TASKS - 2);

  await choose(page, "State", "FAILURE");
  await page.reload();
  await page.getByRole("status").getByText(`${TASKS} tasks`).waitFor();
  await expect
    .poll(async () => {
      await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
      return await page.getByRole("link", { name: oldest }).count();
    })
    .toBe(1);
  expect(await page.getByRole("row").count()).toBeLessThan(TASKS);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect([lines.length, lines[1]?.includes(",FAILURE,cancelled,cancelled,")]).toEqual([TASKS + 1, true]);

  await page.getByRole("textbox", { name: "Task id" }).fill(oldest);
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("1 task", { exact: true }).waitFor();
  expect(page.url()).toContain(`id_prefix=${oldest}`);
});

test("a user creates a key in Access Keys, sees it once, uses it and revokes it", async () => {
  const page = await logIn();
  await page.getByRole("link", { name: "Access Keys", exact: true }).click();
  await button(page, "Create Key").click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("ci");
  await button(page, "Create").click();
  const key = (await page.getByLabel("access key", { exact: true }).textContent()) ?? "";
  expect(key).toMatch(/^eps_/);
  await button(page, "Done").click();
  const url = cluster.coordinators[0]?.url ?? "";
  const use = async () => (await fetch(`${url}/v1/tasks`, { headers: { "x-api-key": key } })).status;
  expect(await use()).toBe(200);

  await page.reload();
  await page.getByRole("cell", { name: "ci", exact: true }).waitFor();
  expect(await page.content()).not.toContain(key);
  await page.getByRole("button", { name: "Revoke ci" }).click();
  await page.getByText("Revoked", { exact: true }).waitFor();
  await expect.poll(use).toBe(401);
});

async function confirm(page: Page, count: number): Promise<void> {
  await button(page, `Cancel ${count} tasks`).click();
  await page.getByRole("dialog").getByText(`${count} tasks cancelled.`).waitFor();
  await button(page, "Done").click();
}

function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

async function deployPushedImage(page: Page): Promise<void> {
  await page.getByRole("link", { name: "New Service" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("prover");
  await choose(page, "Repository", "misbehave");
  await choose(page, "Image tag", "test");
  await page.getByLabel("Memory (GiB)", { exact: true }).fill("0.0625");
  await button(page, "Deploy").click();
}

async function runAndRead(page: Page, input: string): Promise<void> {
  await page.getByRole("textbox", { name: "Input" }).fill(input);
  await button(page, "Run").click();
  await page.getByLabel("Result").getByText(input).waitFor();
}

/** From the settings: a further deployment with one more variable. */
async function deployWith(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Change Settings" }).click();
  await button(page, "Add Variable").click();
  await page.getByLabel("Name of variable 1").fill(name);
  await page.getByLabel("Value of variable 1", { exact: true }).fill(value);
  await button(page, "Deploy").click();
  await page.waitForURL(/\/deployments$/);
}

async function testWebhook(page: Page): Promise<void> {
  await using receiver = await startReceiver(
    (_request, response) => void response.writeHead(418).end("I am a <b>teapot"),
  );
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await button(page, "Add New Webhook").click();
  await page.getByRole("textbox", { name: "Name" }).fill("results");
  await page.getByLabel("URL").fill(receiver.url);
  await button(page, "Save").click();
  const secret = await page.getByLabel("webhook secret", { exact: true }).textContent();
  expect(secret).toMatch(/^whsec_/);
  await button(page, "Done").click();

  await page.getByRole("button", { name: /^results/ }).click();
  await button(page, "Test").click();
  await page.getByRole("cell", { name: "1, last: 418" }).waitFor();
  await button(page, "Redeliver").click();
  await page.getByRole("cell", { name: "2, last: 418" }).waitFor();
  await button(page, "Show").click();
  const delivery = page.getByRole("dialog", { name: "Delivery" });
  await delivery.getByLabel("Start of the response").getByText("I am a <b>teapot").waitFor();
  await delivery.getByLabel("Body").getByText('"type":"webhook.test"').waitFor();
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  expect(await page.content()).not.toContain(secret);
}
