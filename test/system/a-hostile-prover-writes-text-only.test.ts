/** Whatever a prover, a receiver or a name contains is text on every page: no element, no script, no dialog, no frozen page. */
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";
import { addHostileRecords, HOSTILE, SHOWN } from "./hostile-records.ts";

/** Of a page that shows ten million characters on one line, until it has reacted to a click. */
const REACTION_MS_MAX = 10_000;
const LONG_RESULT_CHARS = 7_000_000;

test("hostile output stays text in every place where it is shown", async () => {
  await using cluster = await startCluster();
  const url = cluster.coordinators[0]?.url ?? "";
  const client = cluster.client();
  const { service_id: echoId } = await client.readyService("echo", { image: "builtin:echo" });
  const { serviceId, taskId } = await addHostileRecords(cluster);
  const headers = { "content-type": "application/json" };
  await client.call("/v1/keys", {
    method: "POST",
    headers,
    body: JSON.stringify({ name: SHOWN, scopes: ["tasks:read"] }),
  });
  const proven = await client.prove(echoId, JSON.stringify(HOSTILE));
  const long = await client.prove(echoId, JSON.stringify(SHOWN.padEnd(LONG_RESULT_CHARS, "y")));

  const link = await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url });
  await using browser = await startBrowser();
  const page = await browser.open(link);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();

  const visit = async (path: string, places: number) => {
    await page.goto(url + path);
    await expect.poll(() => page.getByText(SHOWN).count(), { message: path }).toBeGreaterThanOrEqual(places);
    expect([path, await elementsOf(page)]).toEqual([path, []]);
  };
  await visit("/services", 2);
  await visit("/keys", 1);
  await visit("/settings/task-history", 1);
  await visit(`/services/${serviceId}`, 3);
  await visit(`/services/${serviceId}/deployments`, 4);
  await visit(`/services/${serviceId}/deploy`, 1);
  await visit(`/services/${serviceId}/settings`, 3);
  // Once it is there, nothing moves what is clicked.
  await page.getByRole("region", { name: "Deployment settings" }).getByRole("table").waitFor();
  await page.getByRole("button", { name: SHOWN }).click();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByLabel("Start of the response").getByText(SHOWN).waitFor();
  expect(await elementsOf(page)).toEqual([]);
  await visit(`/tasks/${proven.task_id}`, 1);
  await visit(`/tasks/${taskId}`, 4);

  const started = performance.now();
  await page.getByRole("button", { name: "Show More" }).click();
  await page.getByLabel("Log from byte 65536").waitFor();
  await visit(`/tasks/${long.task_id}`, 1);
  await page.getByText(`of ${LONG_RESULT_CHARS.toLocaleString("en")} characters`).waitFor();
  expect(performance.now() - started).toBeLessThan(REACTION_MS_MAX);

  await page.goto(`${url}/services/${echoId}`);
  await page.getByRole("textbox", { name: "Input" }).fill(JSON.stringify(HOSTILE));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByLabel("Result").getByText(SHOWN).waitFor();
  expect(await elementsOf(page)).toEqual([]);
  expect(dialogs).toEqual([]);
});

/** What hostile text would have made of the page, and characters that would turn or hide text around them. */
async function elementsOf(page: Page): Promise<readonly string[]> {
  return await page.evaluate(`(() => {
    const found = [...document.querySelectorAll('img[src="x"], #root script, svg[onload], a[href^="javascript:"]')];
    const unseen = /[\\u0000-\\u0008\\u001b\\u202a-\\u202e\\u2066-\\u2069]/.exec(document.body.innerText);
    return [
      ...found.map(({ outerHTML }) => outerHTML),
      ...(unseen === null ? [] : ["U+" + unseen[0].charCodeAt(0).toString(16)]),
      ...("owned" in window ? ["a script was run"] : []),
    ];
  })()`);
}
