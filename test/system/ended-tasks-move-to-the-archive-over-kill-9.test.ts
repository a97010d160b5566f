import { expect, test } from "vitest";
import type { ApiClient, TaskRecord } from "../cluster/api-client.ts";
import { startCluster } from "../cluster/cluster.ts";
import { countKeys, endLeases } from "../cluster/etcd-requests.ts";

const ROUNDS = 5;
const TASKS_A_ROUND = 60;
/** As soon as settings let them, however few there are. */
const AT_ONCE = { ELASTIC_ARCHIVE_AFTER: "5", ELASTIC_ARCHIVE_ENDED_MAX: "0" };
const MOVE_TIMEOUT_MS = 90_000;

test("ended tasks leave etcd for the archive, and kill -9 of the mover loses none and doubles none", async () => {
  await using cluster = await startCluster({ coordinatorSettings: AT_ONCE });
  const [coordinator] = cluster.coordinators;
  if (coordinator === undefined) throw new Error("no coordinator");
  const { endpoint } = cluster.etcd;
  const countTasks = () => countKeys(endpoint, "/elastic/v1/records/tasks/");
  const client = cluster.client();
  const service = await client.readyService("echo", { image: "builtin:echo", scaling: { min: 4, max: 4 } });
  const tasks: TaskRecord[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    tasks.push(...(await proveMany(client, service.service_id)));
    // Each time at another of the mover's steps.
    await expect.poll(countTasks, { interval: 2 * round, timeout: MOVE_TIMEOUT_MS }).toBeLessThan(TASKS_A_ROUND);
    await coordinator.kill();
    // Or it would lead again, and prove the next, only seconds later.
    await endLeases(endpoint);
    await coordinator.start();
    expect(await idsListed(client, service.service_id)).toEqual(newestFirst(tasks));
  }
  await expect.poll(countTasks, { timeout: MOVE_TIMEOUT_MS }).toBe(0);
  expect(await countKeys(endpoint, "/elastic/v1/inputs/")).toBe(0);
  expect(await countKeys(endpoint, "/elastic/v1/results/")).toBe(0);
  expect(await idsListed(client, service.service_id)).toEqual(newestFirst(tasks));
  for (const task of tasks) expect(sameOf(await client.task(task.task_id))).toEqual(sameOf(task));
  const usage = (await client.call(`/v1/teams/${cluster.firstKey.teamId}/usage`)).json;
  expect(usage).toMatchObject({ total: { tasks: { succeeded: tasks.length, failed: 0 } } });
});

/** Small inputs, and every third a blob. */
function proveMany(client: ApiClient, serviceId: string): Promise<TaskRecord[]> {
  const inputs = Array.from({ length: TASKS_A_ROUND }, (_unused, index) =>
    index % 3 === 0 ? `"${"x".repeat(5_000)}${index}"` : `{"n":${index}}`,
  );
  return Promise.all(inputs.map((input) => proveAsClientsDo(client, serviceId, input)));
}

/** A task that a busy store refused was not created: it is posted again. */
async function proveAsClientsDo(client: ApiClient, serviceId: string, input: string): Promise<TaskRecord> {
  for (;;) {
    try {
      return await client.prove(serviceId, input);
    } catch (error) {
      if (!/^POST \S+: 503 .*store_unavailable/.test((error as Error).message)) throw error;
    }
  }
}

/** All pages by cursor; each has the total. */
async function idsListed(client: ApiClient, serviceId: string): Promise<string[]> {
  const ids: string[] = [];
  let total = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { json } = await client.call(`/v1/services/${serviceId}/tasks?size=100${cursor && `&cursor=${cursor}`}`);
    const page = json as { items: readonly TaskRecord[]; total: number; next_cursor: string | null };
    total = page.total;
    ids.push(...page.items.map(({ task_id }) => task_id));
    cursor = page.next_cursor;
  }
  expect(total).toBe(ids.length);
  return ids;
}

function newestFirst(tasks: readonly TaskRecord[]): string[] {
  return tasks
    .map(({ task_id }) => task_id)
    .sort()
    .reverse();
}

/** Links are signed again each hour. */
function sameOf({ result_url: _, ...task }: TaskRecord): Omit<TaskRecord, "result_url"> {
  return task;
}
