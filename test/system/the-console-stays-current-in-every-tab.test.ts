/** Ten tabs over one event stream show what happens without a reload, say when the coordinator is gone, and continue. */
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";

const TABS = 10;

test("ten tabs share one stream, see tasks end without a reload, and survive the coordinator", async () => {
  await using cluster = await startCluster();
  const [coordinator] = cluster.coordinators;
  if (coordinator === undefined) throw new Error("there is no coordinator");
  const { url } = coordinator;
  const client = cluster.client();
  const service = await client.readyService("echo", { image: "builtin:echo" });
  const prove = async () => (await client.prove(service.service_id, "{}")).task_id;
  const streams = async () => {
    const text = await (await fetch(coordinator.metricsUrl)).text();
    return /^elastic_http_event_streams (\d+)$/m.exec(text)?.[1];
  };

  const link = await loginLink({ etcd: [cluster.etcd.endpoint], path: programPath() }, { user: "tester", url });
  await using browser = await startBrowser();
  const first = await browser.open(link);
  await first.getByRole("button", { name: "Try It First" }).waitFor();
  const history = `${url}/settings/task-history`;
  const others = [];
  for (let tab = 1; tab < TABS; tab++) others.push(await first.context().newPage());
  for (const page of [...others, first]) await page.goto(history);
  const row = (page: typeof first, task: string) => page.getByRole("row").filter({ hasText: task });
  const showsEnd = async (page: typeof first, task: string) =>
    await row(page, task).getByText("succeeded", { exact: true }).waitFor();

  await expect.poll(streams).toBe("1");
  const [second, third] = others;
  if (second === undefined || third === undefined) throw new Error("there are no further tabs");
  const one = await prove();
  await Promise.all([first, second].map((page) => showsEnd(page, one)));
  expect(await streams()).toBe("1");

  // Among them is the tab that opened first, which reads the stream.
  for (const page of [first, ...others.slice(2)]) await page.close();
  const two = await prove();
  await Promise.all([second, third].map((page) => showsEnd(page, two)));
  await expect.poll(streams).toBe("1");

  await coordinator.kill();
  await second.getByText(/Connection lost: shown as of \d+ s ago/).waitFor();
  // What was read stays on the page.
  await showsEnd(second, two);
  await coordinator.start();
  const three = await prove();
  await showsEnd(second, three);
  await second.getByText("Connection lost").waitFor({ state: "detached" });
});
