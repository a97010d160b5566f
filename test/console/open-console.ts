/** A cluster with something to show, and a browser that is logged in to its console. */
import { addOperator, loginLink } from "@elastic/deploy/local/coordinator.ts";
import type { Page } from "playwright-core";
import type { ApiClient } from "../cluster/api-client.ts";
import { startBrowser } from "../cluster/browser.ts";
import { createBuild } from "../cluster/build-source.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";
import { createShell } from "../cluster/shell.ts";
import { uploadVolume } from "../cluster/upload-volume.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { appSettings, writeAppFiles } from "../github/app-settings.ts";
import { filesOf } from "../github/memory-repository.ts";
import { type GithubHost, startGithubHost } from "../login/github-host.ts";
import type { ConsolePage, ConsoleState } from "./pages.ts";

export interface OpenConsole extends AsyncDisposable {
  readonly page: Page;
  /** Shows a page of the console, and waits until it has what it shows. */
  show(of: ConsolePage | ConsoleState): Promise<void>;
}

export const DESK = { width: 1440, height: 900 };

/** Offered, and never started: there is no engine. */
const SHELLS = { ELASTIC_SHELL_IMAGES: "base=127.0.0.1:1/shell:v1" };
/** Named by the pool, and never run. */
const DRIVER = { ELASTIC_POOL_COMMANDS: "cloud=/bin/false" };

/** It may have no machine, so that its driver is never called. */
const EMPTY_POOL = {
  max: 0,
  cost_per_hour: 2,
  budget_per_day: 100,
  offer: { gpu_type: "H100", gpu_count: 1, gpu_memory_bytes: 2 ** 36, cpu_cores: 16, memory_bytes: 2 ** 37 },
  driver: { kind: "command", name: "cloud" },
};

export async function openConsole(): Promise<OpenConsole> {
  await using stack = new AsyncDisposableStack();
  const github = stack.use(await startGithubHost({ id: 7, login: "ada", organisations: [] }));
  const folder = stack.use(makeWorkFolder());
  const sources = appSettings("github", github.url, writeAppFiles(folder.path));
  const cluster = stack.use(
    await startCluster({ registry: true, coordinatorSettings: { ...SHELLS, ...DRIVER, ...sources } }),
  );
  const url = cluster.coordinators[0]?.url ?? "";
  const client = cluster.client();
  await send(client, "PUT", "/v1/pools/h100", EMPTY_POOL);
  const { service_id: serviceId } = await client.readyService("echo", { image: "builtin:echo" });
  const { task_id: taskId } = await client.prove(serviceId, '{"private_input":[1,2]}');
  const store = { etcd: [cluster.etcd.endpoint], path: programPath() };
  await addOperator(store, "tester");
  const link = await loginLink(store, { user: "tester", url });
  const browser = stack.use(await startBrowser({ leadsTo: [github.url] }));
  const page = await browser.open(link, { viewport: DESK });
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  const { teams } = (await client.call("/v1/me")).json as { readonly teams: readonly { readonly team_id: string }[] };
  await send(client, "PATCH", `/v1/teams/${teams[0]?.team_id}`, { origins: ["https://app.example.com"] });
  const shown: Readonly<Record<string, string>> = {
    $serviceId: serviceId,
    $emptyId: (await client.createService("empty")).service_id,
    $builtId: await createBuiltService(client, page, github),
    // It waits for a machine that builds, and there is none.
    $buildId: (await createBuild(client, serviceId, [["Dockerfile", "FROM scratch\n"]])).build_id,
    $taskId: taskId,
    $shellId: await createShell(client, { shell_name: "lab" }),
    $volumeId: await uploadVolume(client, "keys", { "proving.key": "a key" }),
    $nodeId: cluster.agents[0]?.nodeId ?? "",
  };
  const owned = stack.move();
  return {
    page,
    async show({ path, heading, ...state }) {
      await page.goto(url + path.replaceAll(/\$\w+/g, (name) => shown[name] ?? name));
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.getByLabel("Loading").last().waitFor({ state: "detached" });
      if (!("text" in state)) return;
      if (state.press !== undefined) await page.getByText(state.press, { exact: true }).click();
      await page.getByText(state.text, { exact: true }).first().waitFor();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A service whose build waits, of a repository in an account that is connected as a user does it. */
async function createBuiltService(client: ApiClient, page: Page, github: GithubHost): Promise<string> {
  github.app.callbackUrl = `${client.url}/v1/source-hosts/github/callback`;
  const repository = github.app.addRepository(
    { owner: "ada", name: "prover" },
    filesOf({ Dockerfile: "FROM scratch\n" }),
  );
  await page.goto(`${client.url}/settings/team`);
  await page.getByRole("button", { name: "Connect GitHub" }).click();
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByText("The account ada is connected.").waitFor();
  const { service_id: id } = await client.createService("built");
  const source = {
    connection_id: new URL(page.url()).searchParams.get("connection_id"),
    repository_id: String(repository.id),
    branch: "main",
  };
  await send(client, "PUT", `/v1/services/${id}/source`, source);
  await send(client, "POST", `/v1/services/${id}/builds`, { source: { repository: {} }, deploy: true });
  return id;
}

async function send(client: ApiClient, method: string, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { status, text } = await client.call(path, { method, headers, body: JSON.stringify(body) });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

/** Switches the theme as the reader's system does, and waits for it. */
export async function useTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}
