/** Every page, in both themes and on a phone: no violation that axe finds, and nothing wider than the window. */
import { readFileSync } from "node:fs";
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { overflowOf, violationsOf } from "../cluster/accessibility.ts";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1440, height: 900 };

/** As the routes of the console declare them, and the heading by which each is known to have been shown. */
const PAGES = new Map<string, string | RegExp>([
  ["/login", "Elastic Proving Service"],
  ["/services", "Services"],
  ["/services/$serviceId", "echo"],
  ["/services/$serviceId/deployments", "echo"],
  ["/services/$serviceId/settings", "echo"],
  ["/keys", "Access Keys"],
  ["/settings/task-history", "Task History"],
  ["/settings/sessions", "Sessions"],
  ["/tasks/$taskId", /^Task/],
]);
/** They show nothing and lead to a page above. */
const REDIRECTS = ["/", "/settings/task-hisotry"];

test("visits every page that the console has", () => {
  const routes = readFileSync(inRepository("console", "src", "router.tsx"), "utf8");
  const declared = [...routes.matchAll(/path: "([^"]+)"/g)].map(([, path = ""]) => path);
  expect(declared.length).toBeGreaterThan(5);
  const visited = [...PAGES.keys(), ...REDIRECTS];
  expect(declared.filter((path) => !visited.some((one) => one.endsWith(path)))).toEqual([]);
});

test("finds no violation on any page, and none wider than a phone", async () => {
  await using cluster = await startCluster();
  const url = cluster.coordinators[0]?.url ?? "";
  const client = cluster.client();
  const { service_id: serviceId } = await client.readyService("echo", { image: "builtin:echo" });
  const { task_id: taskId } = await client.prove(serviceId, '{"n":1}');
  await using browser = await startBrowser();
  const link = await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url });
  const page = await browser.open(link, { viewport: DESK });
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();

  const faults: string[] = [];
  for (const [path, heading] of PAGES) {
    await page.goto(url + path.replace("$serviceId", serviceId).replace("$taskId", taskId));
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.getByLabel("Loading").waitFor({ state: "detached" });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      faults.push(...(await violationsOf(page)).map((one) => `${path} (${colorScheme}): ${one}`));
    }
    await page.setViewportSize(PHONE);
    faults.push(...(await overflowOf(page)).map((one) => `${path} is wider than a phone by ${one}`));
    await page.setViewportSize(DESK);
  }
  expect(faults).toEqual([]);
});
