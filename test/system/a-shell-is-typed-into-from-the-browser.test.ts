/** A shell used from the browser alone: found, opened, typed into, resized, and connected again after a reload and a cut. */
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { programPath } from "../cluster/machine.ts";
import { startShellCluster } from "../cluster/shell-cluster.ts";
import { violationsOf } from "../console/accessibility.ts";

const noEngine = await whyNoEngineHere();

test.skipIf(noEngine !== null)("a user types into a shell, and comes back to it after a reload and a cut", async () => {
  await using started = await startShellCluster();
  const { cluster, shell } = started;
  const [coordinator] = cluster.coordinators;
  if (coordinator === undefined) throw new Error("there is no coordinator");
  const { url } = coordinator;
  const link = await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url });
  await using browser = await startBrowser();
  const page = await browser.open(link);
  const screen = page.getByLabel("Terminal", { exact: true });
  const shown = (text: string | RegExp) => screen.getByText(text).first().waitFor();
  const type = async (line: string) => {
    await page.keyboard.type(line);
    await page.keyboard.press("Enter");
  };
  const connected = () => page.getByRole("status").getByText("Connected", { exact: true }).waitFor();

  await page.getByRole("link", { name: "Shells" }).click();
  expect(await page.getByText(shell.password).count()).toBe(0);
  await page.getByRole("link", { name: `shell-${shell.shell_id.slice(-8)}` }).click();
  await page.getByText(new RegExp(`^ssh .*${shell.shell_id}@`)).waitFor();
  await page.getByRole("button", { name: "Show password" }).click();
  await page.getByText(shell.password, { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Terminal" }).click();
  await connected();
  expect(await violationsOf(page)).toEqual([]);

  await type("echo typed-$((20+3))");
  await shown("typed-23");
  await type("printf '\\033[38;2;255;120;0m%s\\033[0m\\n' or''ange");
  expect(await screen.getByText("orange", { exact: true }).getAttribute("style")).toContain("rgb(255, 120, 0)");
  const columns = async () => {
    await type("clear; echo columns-$(tput cols 2>/dev/null || stty size | cut -d' ' -f2)");
    await shown(/columns-\d+/);
    return Number(/columns-(\d+)/.exec((await screen.textContent()) ?? "")?.[1]);
  };
  const wide = await columns();
  await page.setViewportSize({ width: 700, height: 600 });
  await expect.poll(columns).toBeLessThan(wide - 20);

  await page.reload();
  await connected();
  await type("echo reloaded-$((1+1))");
  await shown("reloaded-2");

  await coordinator.kill();
  await page.getByRole("status").getByText("Connection lost, connecting again").waitFor();
  await coordinator.start();
  await connected();
  await expect
    .poll(async () => {
      await type("echo cut-$((2+1))");
      return await screen.textContent();
    })
    .toContain("cut-3");

  await cluster.client().call("/v1/sessions", { method: "DELETE" });
  // Live updates may show the login page before the terminal shows why it ended.
  const ended = page.getByText("you are logged out, or no longer in the shell's team");
  await ended
    .or(page.getByRole("heading", { name: "Elastic Proving Service" }))
    .first()
    .waitFor();
});
