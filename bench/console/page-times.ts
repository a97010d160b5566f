/** How soon the console can be seen and used, in a browser with an empty cache on a slow CPU. */
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { type Browser, startBrowser } from "@elastic/test/cluster/browser.ts";
import type { Cluster } from "@elastic/test/cluster/cluster.ts";
import { programPath } from "@elastic/test/cluster/machine.ts";

/** As Lighthouse slows a desk's CPU down to that of a phone. */
export const CPU_SLOWDOWN = 4;
const LOADS = 5;

type Page = Awaited<ReturnType<Browser["open"]>>;

/** Milliseconds from the begin of the navigation. */
export interface PageTimes {
  readonly paintedMs: number;
  /** The page has reacted to a click on its main button. */
  readonly usableMs: number;
}

/** Loads of the page on which a user begins, logged in. */
export async function pageTimes(cluster: Cluster): Promise<readonly PageTimes[]> {
  await using browser = await startBrowser();
  const url = cluster.coordinators[0]?.url ?? "";
  const link = await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url });
  const page = await browser.open(link);
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  const times: PageTimes[] = [];
  for (let load = 0; load < LOADS; load += 1) times.push(await loaded(page, `${url}/services`));
  return times;
}

async function loaded(page: Page, url: string): Promise<PageTimes> {
  await page.goto(url, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Try It First" }).click();
  await page.getByRole("dialog").waitFor();
  return await page.evaluate(() => {
    const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    if (painted === undefined) throw new Error("the page was not painted");
    return { paintedMs: painted, usableMs: performance.now() };
  });
}
