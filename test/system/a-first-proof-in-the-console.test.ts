/** From an empty browser to a verified proof, by Try It First; a tampered proof is not verified. */
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";

test("three clicks lead from a login link to a verified proof", async () => {
  await using cluster = await startCluster();
  const [coordinator] = cluster.coordinators;
  const url = coordinator?.url ?? "";
  const link = await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url });
  await using browser = await startBrowser();
  const page = await browser.open(link);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Try It First").click();
  await button("Deploy").click();
  await page.getByRole("status").getByText("Ready", { exact: true }).waitFor();
  await button("Run").click();
  await page.getByText("Verified", { exact: true }).waitFor();
  expect(page.url()).toMatch(/\/services\/[0-9a-f]{32}$/);
  await page.getByText("It runs with development parameters").waitFor();

  const result = page.getByLabel("Result");
  const proof = await result.inputValue();
  await result.fill(`${proof.slice(0, 100)}${proof[100] === "A" ? "B" : "A"}${proof.slice(101)}`);
  await button("Verify").click();
  await page.getByText("Not verified", { exact: true }).waitFor();

  const line = page.getByLabel("curl line", { exact: true });
  await button("Create Key").click();
  await expect.poll(() => line.textContent()).toMatch(/x-api-key: eps_\w+'/);
  const [, key = ""] = /x-api-key: (eps_\w+)/.exec((await line.textContent()) ?? "") ?? [];
  const endpoint = (await page.getByLabel("endpoint", { exact: true }).textContent()) ?? "";
  const headers = { "x-api-key": key, "content-type": "application/json" };
  expect((await fetch(endpoint, { method: "POST", headers, body: '{"input":1}' })).status).toBe(201);

  await page.reload();
  await page.getByRole("combobox", { name: "Last inputs" }).waitFor();
  expect(await page.content()).not.toContain(key);
});
