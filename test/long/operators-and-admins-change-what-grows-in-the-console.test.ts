/** A line that installs an agent, pools, what waits for machines, and a team's origins, in a browser over an interface in memory. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addLoginLink, loginUrl } from "@elastic/coordinator/accounts/add-login-link.ts";
import { setOperator } from "@elastic/coordinator/accounts/set-operator.ts";
import { call } from "@elastic/coordinator/http/testing/call.ts";
import { startHttpFixture } from "@elastic/coordinator/http/testing/http-fixture.ts";
import { replace } from "@elastic/coordinator/store/change.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { manifestText } from "@elastic/std/program-release/manifest.ts";
import { newReleaseKey, readSigningKey, signatureOf } from "@elastic/std/program-release/signature.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { overflowOf, violationsOf } from "../console/accessibility.ts";
import { DESK, useTheme } from "../console/open-console.ts";

const PHONE = { width: 360, height: 740 };
const log = createLog({ name: "test", level: "silent" });

/** A signed release of an agent that nobody installs. */
function signedRelease(folder: string): { readonly folder: string; readonly keysFile: string } {
  const key = newReleaseKey();
  const keysFile = join(folder, "keys.pem");
  writeFileSync(keysFile, key.publicPem);
  const release = join(folder, "releases", "a");
  mkdirSync(release, { recursive: true });
  const minimum = { minimumCoordinator: "0.1.0", minimumAgent: "0.1.0" };
  const agent = { name: "elastic-agent-0.2.0-linux-x64.tar.zst", sha256: "a".repeat(64), size: 5, unpackedSize: 9 };
  writeFileSync(join(release, agent.name), "agent");
  const manifest = manifestText({ version: "0.2.0", platform: "linux-x64", ...minimum, files: [agent] });
  writeFileSync(join(release, "release.json"), manifest);
  writeFileSync(join(release, "release.json.sig"), signatureOf(Buffer.from(manifest), readSigningKey(key.privatePem)));
  return { folder: join(folder, "releases"), keysFile };
}

async function openPages() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(makeWorkFolder());
  const config = {
    listen: { host: "127.0.0.1", port: 0 },
    publicUrl: null,
    rates: { keyReads: 1e6, keyWrites: 1e6, teamReads: 1e6, teamWrites: 1e6, unauthenticated: 1e6 },
    templatesFolder: join(folder.path, "templates"),
    consoleFolder: inRepository("console", "dist"),
  };
  const api = await startHttpFixture(log, { releases: signedRelease(folder.path), config });
  stack.defer(() => api.close());
  const user = await api.store.get("users", api.own.userId);
  if (user === null) throw new Error("the fixture has no user");
  await setOperator(api.store, user.value, true);
  const { token } = await addLoginLink(api.store, user.value, systemClock);
  const browser = stack.use(await startBrowser());
  const page = await browser.open(loginUrl(api.url, token), { viewport: DESK });
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  const owned = stack.move();
  return { api, page, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function faultsOf(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const theme of ["dark", "light"] as const) {
    await useTheme(page, theme);
    faults.push(...(await violationsOf(page)));
  }
  await page.setViewportSize(PHONE);
  faults.push(...(await overflowOf(page)));
  await page.setViewportSize(DESK);
  return faults;
}

test("shows the line that installs an agent, what it does and how long it works, and the other line too", async () => {
  await using opened = await openPages();
  const { page } = opened;
  await page.getByRole("link", { name: "Machines" }).click();
  await page.getByRole("button", { name: "Join a machine" }).click();
  await page.getByLabel("Name of the machine").fill("gpu-7");
  await page.getByRole("button", { name: "Create token" }).click();
  const line = await page.getByLabel("install line", { exact: true }).textContent();
  expect(line).toMatch(/^echo \S+ \| .*--release linux-x64:0\.2\.0:[0-9a-f]{64} --node gpu-7$/);
  await page.getByText("It downloads the agent from this service").waitFor();
  await page.getByText("It works once, for 10 min: until").waitFor();
  expect(await page.getByLabel("join line", { exact: true }).textContent()).toMatch(
    /^echo \S+ \| elastic-agent enroll /,
  );
  expect(await faultsOf(page)).toEqual([]);
});

test("shows pools with what they have, are to have and cost, resumes one, and shows what has no machine", async () => {
  await using opened = await openPages();
  const { api, page } = opened;
  const pool = {
    min: 2,
    max: 4,
    warm_spare: 1,
    cost_per_hour: 2,
    budget_per_hour: 10,
    offer: { gpu_type: "H100", gpu_count: 1, gpu_memory_bytes: 2 ** 36, cpu_cores: 16, memory_bytes: 2 ** 37 },
    driver: { kind: "command", name: "cloud" },
  };
  await call(`${api.url}/v1/pools/h100`, { key: api.own.key, method: "PUT", body: JSON.stringify(pool) });
  await call(`${api.url}/v1/shells`, { key: api.own.key, method: "POST", body: "{}" });
  await page.getByRole("link", { name: "Pools" }).click();
  const row = page.getByRole("row", { name: /^h100 2 4 0 2 1 0 of 10 an hour/ });
  await row.getByText("2 more for its warm spare").waitFor();
  await page.getByText("1 workload has no machine").waitFor();
  expect(await faultsOf(page)).toEqual([]);

  const stored = await api.store.get("pools", "h100");
  if (stored === null) throw new Error("the pool is not stored");
  const stopped = { ...stored.value, stopped: { at: Date.now(), reason: "no machine came up" } };
  await api.store.commit([replace("pools", stored, stopped)]);
  await page.getByRole("button", { name: "Resume the pool h100" }).click();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await row.getByText("2 more for its warm spare").waitFor();
});

test("adds and removes origins of a team, and shows a refusal at the field", async () => {
  await using opened = await openPages();
  const { api, page } = opened;
  await page.getByRole("link", { name: "Team", exact: true }).click();
  const section = page.getByRole("region", { name: "Allowed origins" });
  await section.getByText("No web page of another origin may.").waitFor();
  const field = section.getByLabel("Another origin");
  const origins = () => api.store.view.teams.get(api.own.teamId)?.value.origins ?? [];
  await field.fill("https://app.example/path");
  await section.getByRole("button", { name: "Add origin" }).click();
  await section.getByText("an origin as browsers send it: https://<host>").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect([origins(), await faultsOf(page)]).toEqual([[], []]);
  await field.fill("https://app.example");
  await section.getByRole("button", { name: "Add origin" }).click();
  await section.getByRole("button", { name: "Remove the origin https://app.example" }).waitFor();
  expect([origins(), await field.inputValue(), await faultsOf(page)]).toEqual([["https://app.example"], "", []]);
  await section.getByRole("button", { name: "Remove the origin https://app.example" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await section.getByText("No web page of another origin may.").waitFor();
  expect(origins()).toEqual([]);
});
