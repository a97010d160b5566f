/** Ten tabs over one event stream show what happens without a reload, report when the coordinator is gone, and continue. */
import { join } from "node:path";
import { openFileTaskLogs } from "@elastic/coordinator/task-logs/file-task-logs.ts";
import { loginLink } from "@elastic/deploy/local/coordinator.ts";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";

const TABS = 10;
const LONG_LINE_CHARS = 10_000_000;
const CHUNK_CHARS = 1_000_000;

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

  // A page of charts, and the log of a prover that writes ten million characters on one line.
  await third.goto(`${url}/services/${service.service_id}/metrics`);
  await third
    .getByRole("region", { name: "Run time" })
    .getByText(/^Last: p50/)
    .waitFor();
  const sleep = await client.readyService("sleep", { image: "builtin:sleep" });
  await third.goto(`${url}/services/${sleep.service_id}/logs`);
  await third.getByText("Live", { exact: true }).waitFor();
  const running = await client.postTask(sleep.service_id, '{"ms":600000}');
  await expect.poll(async () => (await client.task(running.task_id)).phase).toBe("running");
  await writeLog(cluster.folder, cluster.firstKey.teamId, running);
  const log = third.getByRole("log");
  await log.getByText("after it").waitFor();
  expect(await log.getByText("<b>bold</b> \\u{202e}").count()).toBe(1);
  await log.getByRole("button", { name: /Show more of/ }).click();
  await log.getByText(/more characters: download the log/).waitFor();
  await third.getByLabel("Search").fill("AFTER");
  await third.getByText("1 line of the newest tasks.").waitFor();

  await coordinator.kill();
  await second.getByText(/Connection lost: shown as of \d+ s ago/).waitFor();
  // What was read stays on the page.
  await showsEnd(second, two);
  await coordinator.start();
  const three = await prove();
  await showsEnd(second, three);
  await second.getByText("Connection lost").waitFor({ state: "detached" });
});

/** What a hostile prover writes, as an agent would send it. */
async function writeLog(folder: string, teamId: string, task: { readonly task_id: string }): Promise<void> {
  const logs = openFileTaskLogs(join(folder, "blobs"));
  const ref = { teamId, taskId: task.task_id, attempt: 1 };
  const pieces = [
    "\u001b[31m<b>bold</b>\u001b[0m \u202ereversed\n",
    ...Array.from({ length: LONG_LINE_CHARS / CHUNK_CHARS }, () => "x".repeat(CHUNK_CHARS)),
    "\nafter it\n",
  ];
  let end = (await logs.state(ref))?.bytes ?? 0;
  for (const piece of pieces) end = (await logs.append(ref, end, Buffer.from(piece))).bytes;
}
