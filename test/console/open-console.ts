/** A cluster with something to show, and a browser that is logged in to its console. */
import { addOperator, loginLink } from "@elastic/deploy/local/coordinator.ts";
import type { Page } from "playwright-core";
import { startBrowser } from "../cluster/browser.ts";
import { createBuild } from "../cluster/build-source.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";
import { createShell } from "../cluster/shell.ts";
import { uploadVolume } from "../cluster/upload-volume.ts";
import type { ConsolePage } from "./pages.ts";

export interface OpenConsole extends AsyncDisposable {
  readonly page: Page;
  /** Shows a page of the console, and waits until it has what it shows. */
  show(of: ConsolePage): Promise<void>;
}

export const DESK = { width: 1440, height: 900 };

/** Offered, and never started: there is no engine. */
const SHELLS = { ELASTIC_SHELL_IMAGES: "base=127.0.0.1:1/shell:v1" };

export async function openConsole(): Promise<OpenConsole> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await startCluster({ registry: true, coordinatorSettings: SHELLS }));
  const url = cluster.coordinators[0]?.url ?? "";
  const client = cluster.client();
  const { service_id: serviceId } = await client.readyService("echo", { image: "builtin:echo" });
  const { task_id: taskId } = await client.prove(serviceId, '{"private_input":[1,2]}');
  const store = { etcd: [cluster.etcd.endpoint], path: programPath() };
  await addOperator(store, "tester");
  const link = await loginLink(store, { user: "tester", url });
  const shown: Readonly<Record<string, string>> = {
    $serviceId: serviceId,
    // It waits for a machine that builds, and there is none.
    $buildId: (await createBuild(client, serviceId, [["Dockerfile", "FROM scratch\n"]])).build_id,
    $taskId: taskId,
    $shellId: await createShell(client, { shell_name: "lab" }),
    $volumeId: await uploadVolume(client, "keys", { "proving.key": "a key" }),
    $nodeId: cluster.agents[0]?.nodeId ?? "",
  };
  const browser = stack.use(await startBrowser());
  const page = await browser.open(link, { viewport: DESK });
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  const owned = stack.move();
  return {
    page,
    async show({ path, heading }) {
      await page.goto(url + path.replaceAll(/\$\w+/g, (name) => shown[name] ?? name));
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.getByLabel("Loading").last().waitFor({ state: "detached" });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Switches the theme as the reader's system does, and waits for it. */
export async function useTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}
