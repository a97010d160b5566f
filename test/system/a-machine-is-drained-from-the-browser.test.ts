/** Operators' pages: shown to operators alone; a machine drains while its task ends, and takes work again. */
import { addOperator, loginLink } from "@elastic/deploy/local/coordinator.ts";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";

test("an operator drains a machine whose task ends first, and resumes it", async () => {
  await using cluster = await startCluster({ agentSettings: { ELASTIC_SLOTS: "1" } });
  const [coordinator] = cluster.coordinators;
  const [agent] = cluster.agents;
  if (coordinator === undefined || agent === undefined) throw new Error("the cluster is incomplete");
  const store = { etcd: [cluster.etcd.endpoint], path: programPath() };
  const link = await loginLink(store, { user: "tester", url: coordinator.url });
  await using browser = await startBrowser();
  const page = await browser.open(link);
  const machines = page.getByRole("link", { name: "Machines" });
  await page.getByRole("link", { name: "Shells" }).waitFor();
  expect(await machines.count()).toBe(0);

  await addOperator(store, "tester");
  const client = cluster.client();
  const { service_id: id } = await client.readyService("sleeps", { image: "builtin:sleep" });
  const { task_id: taskId } = await client.postTask(id, '{"ms":600000}');
  await page.reload();
  await machines.click();
  await page.getByRole("link", { name: agent.nodeId }).click();
  const state = (name: string) => page.getByRole("status").getByText(name, { exact: true }).waitFor();
  await state("READY");
  await page.getByText(taskId).waitFor();

  await page.getByRole("button", { name: `Drain ${agent.nodeId}` }).click();
  const dialog = page.getByRole("dialog", { name: `Drain ${agent.nodeId}?` });
  await dialog.getByText("1 task, 0 shells").waitFor();
  await dialog.getByRole("button", { name: "Drain" }).click();
  await state("DRAINING");
  await page.getByText("Drained by tester").waitFor();
  // It continues until its user ends it.
  expect((await client.call(`/v1/tasks/${taskId}`)).json).toMatchObject({ phase: "running", attempt: 1 });
  await client.call(`/v1/tasks/${taskId}/cancel`, { method: "POST" });
  await state("DRAINED");

  await page.getByRole("button", { name: `Resume ${agent.nodeId}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await state("READY");
  await page.getByRole("link", { name: "Fleet" }).click();
  await page.getByText("The mass-failure circuit breaker is closed").waitFor();
  await page.getByText("Leader", { exact: true }).waitFor();
});
