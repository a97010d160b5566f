/**
 * An owner invites a viewer, who sees the team's tasks and cannot deploy; the audit log shows who changed what. Each tab acts in
 * one team, and logging out in one ends all.
 */
import { readFile } from "node:fs/promises";
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";
import { addTeam } from "../cluster/second-team.ts";

test("an invited viewer reads and changes nothing, and the owner sees who changed what", async () => {
  await using cluster = await startCluster();
  const url = cluster.coordinators[0]?.url ?? "";
  const client = cluster.client();
  const { service_id: serviceId } = await client.readyService("echo", { image: "builtin:echo" });
  const { task_id: taskId } = await client.prove(serviceId, '{"n":1}');
  await addTeam(cluster.etcd.endpoint, "studio");
  const etcd = { etcd: [cluster.etcd.endpoint], path: programPath() };
  const [tester, guest] = ["tester", "studio-owner"].map((user) => loginLink(etcd, { user, url }));
  await using browser = await startBrowser();

  const owner = await browser.open((await tester) ?? "");
  await owner.getByRole("link", { name: "Team", exact: true }).click();
  const code = await invite(owner, "viewer");

  const viewer = await browser.open((await guest) ?? "");
  await choose(viewer, "Team", "Join a Team…");
  await viewer.getByLabel("Invitation code").fill(code);
  await button(viewer, "Join").click();
  await viewer.getByText("Your role is viewer.").waitFor();
  await viewer.getByText("Owners and admins see who changed what.").waitFor();

  await viewer.getByRole("link", { name: "Services", exact: true }).click();
  await viewer.getByRole("link", { name: "echo", exact: true }).waitFor();
  expect(await button(viewer, "Try It First").count()).toBe(0);
  await viewer.getByRole("link", { name: "Task History", exact: true }).click();
  await viewer.getByText("1 task", { exact: true }).waitFor();
  // What a viewer may not do is not offered.
  const changes = [
    [`/services/${serviceId}`, "Endpoint", ["Create Key", "Run"]],
    [`/services/${serviceId}/settings`, "Webhooks", ["Add New Webhook", "Save Retention", "Delete Service"]],
    [`/tasks/${taskId}`, "Timeline", ["Run Again"]],
    ["/settings/task-history", "1 task", ["Cancel All Matching"]],
  ] as const;
  for (const [path, content, names] of changes) {
    for (const page of [owner, viewer]) {
      await page.goto(url + path);
      await page.getByText(content, { exact: true }).waitFor();
    }
    for (const name of names) {
      await button(owner, name).waitFor();
      expect([path, name, await button(viewer, name).count()]).toEqual([path, name, 0]);
    }
  }
  expect(await owner.getByRole("checkbox", { name: "Select all open tasks" }).count()).toBe(1);
  expect(await viewer.getByRole("checkbox").count()).toBe(0);
  await owner.goto(`${url}/settings/team`);
  await viewer.goto(`${url}/services/new`);
  await viewer.getByRole("textbox", { name: "Name" }).fill("mine");
  await viewer.getByText("Builtin Prover", { exact: true }).click();
  await choose(viewer, "Builtin prover", "builtin:poseidon");
  await button(viewer, "Deploy").click();
  await viewer.getByText("Your role in the team is viewer; this takes the role member or a higher one.").waitFor();

  await viewer.keyboard.press("/");
  await viewer.getByLabel("Search for").waitFor();
  await viewer.keyboard.press("Escape");
  await viewer.getByLabel("Search for").waitFor({ state: "detached" });
  await viewer.keyboard.press("Control+k");
  await viewer.getByLabel("Search for").fill("ECHO");
  await viewer.getByRole("option", { name: /echo/ }).first().waitFor();
  await viewer.keyboard.press("Enter");
  await viewer.waitForURL(`${url}/services/${serviceId}`);

  await choose(owner, "Role of studio-owner", "member");
  await owner.getByText("role: viewer → member").waitFor();
  await button(viewer, "Run").click();
  await viewer.getByText("SUCCESS", { exact: true }).waitFor();
  const rows = owner.getByRole("region", { name: "Audit Log" }).getByRole("row");
  await expect
    .poll(() => rows.allTextContents())
    .toEqual([
      expect.stringContaining("Action"),
      expect.stringMatching(/tester.*changeMember.*member studio-owner.*viewer → member/),
      expect.stringMatching(/studio-owner.*acceptInvitation.*member studio-owner/),
      expect.stringMatching(/tester.*createInvitation.*role: viewer/),
      ...(await rows.allTextContents()).slice(4),
    ]);
  await owner.getByLabel("Action").fill("changeMember");
  await owner.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(2);
  expect(owner.url()).toContain("action=changeMember");

  // Another tab acts in another team, and this one stays in its own.
  const other = await viewer.context().newPage();
  await other.goto(`${url}/services/${serviceId}`);
  await choose(other, "Team", "studio");
  await other.waitForURL(`${url}/services`);
  await other.getByText("No services yet").waitFor();
  await viewer.getByRole("link", { name: "Services", exact: true }).click();
  await viewer.getByRole("link", { name: "echo", exact: true }).waitFor();
  // Logged out in one, both have nothing of the user left.
  const stored = () => viewer.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("elastic.")));
  expect(await stored()).toContain(`elastic.inputs.${serviceId}`);
  await button(other, "Log out").click();
  for (const page of [other, viewer]) await page.waitForURL(/\/login/);
  expect(await stored()).toEqual([]);

  await owner.getByRole("link", { name: "Usage", exact: true }).click();
  await owner.getByRole("list", { name: "Tasks by service" }).getByText("echo").waitFor();
  const download = owner.waitForEvent("download");
  await owner.getByRole("link", { name: "Export CSV" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toMatch(/^day,.*\r\n[\d-]{10},[0-9a-f]{32},echo,2,/);
});

function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Returns the code, which is shown once. */
async function invite(page: Page, role: string): Promise<string> {
  await button(page, "Invite").click();
  await choose(page, "Role", role);
  // The dialog stays over the request that makes the code, and over the code.
  await page.route("**/invitations", async (route) => {
    if (route.request().method() === "POST") {
      await page.locator("button[data-loading]", { hasText: "Create Invitation" }).waitFor();
      await page.keyboard.press("Escape");
    }
    await route.continue();
  });
  await button(page, "Create Invitation").click();
  const code = (await page.getByLabel("invitation code", { exact: true }).textContent()) ?? "";
  expect(code).toMatch(/^epi_/);
  await page.keyboard.press("Escape");
  await button(page, "Done").click();
  await page.getByRole("button", { name: `Revoke the invitation of a new ${role}` }).waitFor();
  expect(await page.content()).not.toContain(code);
  return code;
}
