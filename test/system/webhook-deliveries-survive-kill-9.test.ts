import { test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { ALLOW_RECEIVERS, receiverOf } from "./webhook-scenario.ts";

const TASKS = 20;

// They mostly wait, each for its own cluster.
test.concurrent("delivers after its restart what a killed coordinator had committed and not sent, under the same ids", async ({
  expect,
}) => {
  await using cluster = await startCluster({ coordinatorSettings: ALLOW_RECEIVERS });
  const [coordinator] = cluster.coordinators;
  if (coordinator === undefined) throw new Error("a coordinator was started");
  const client = cluster.client();
  const service = await client.readyService("echo", { image: "builtin:echo" });
  let responds = false;
  await using receiver = await receiverOf(client, service.service_id, (_got, response) => {
    if (responds) response.writeHead(204).end();
  });
  const posted = await Promise.all(
    Array.from({ length: TASKS }, (_, n) => client.postTask(service.service_id, JSON.stringify({ n }))),
  );
  const ids = posted.map((task) => task.task_id);
  for (const id of ids) expect((await client.ended(id)).state).toBe("SUCCESS");
  // A receiver that has not responded yet is sent one at a time: it has one, the others wait in the store.
  await expect.poll(() => receiver.received().length, { timeout: 90_000 }).toBe(1);
  const [held] = receiver.received();
  await coordinator.kill();
  responds = true;
  await coordinator.start();
  const taskIds = () =>
    new Set(
      receiver
        .received()
        .slice(1)
        .map(({ taskId }) => taskId),
    );
  await expect.poll(() => taskIds().size, { timeout: 90_000 }).toBe(TASKS);
  expect(taskIds()).toEqual(new Set(ids));
  const received = receiver.received();
  expect(new Set(received.map(({ id }) => id)).size).toBe(TASKS);
  expect(received.slice(1).find(({ taskId }) => taskId === held?.taskId)?.id).toBe(held?.id);
  for (const { type, state, result, taskId } of received) {
    expect([type, state]).toEqual(["task.succeeded", "SUCCESS"]);
    expect(result).toBe(JSON.stringify({ n: ids.indexOf(taskId) }));
  }
  const delivered = async () => {
    const { json } = await client.call(`/v1/webhooks/${receiver.webhookId}/deliveries?state=delivered`);
    return (json as { readonly total: number }).total;
  };
  await expect.poll(delivered, { timeout: 90_000 }).toBe(TASKS);
});

test.concurrent("delivers everything when either of two coordinators is killed", async ({ expect }) => {
  await using cluster = await startCluster({ coordinators: 2, coordinatorSettings: ALLOW_RECEIVERS });
  const [one, two] = cluster.coordinators;
  if (one === undefined || two === undefined) throw new Error("two coordinators were started");
  const service = await cluster.client(one).readyService("echo", { image: "builtin:echo" });
  await using receiver = await receiverOf(cluster.client(one), service.service_id, (_got, response) =>
    response.writeHead(200).end(),
  );
  const ids: string[] = [];
  for (const [dies, stays] of [
    [one, two],
    [two, one],
  ] as const) {
    const client = cluster.client(stays);
    const post = async () => {
      const posted = await Promise.all(Array.from({ length: TASKS }, () => client.postTask(service.service_id, "1")));
      ids.push(...posted.map((task) => task.task_id));
    };
    await post();
    await dies.kill();
    await post();
    for (const id of ids) expect((await client.ended(id)).state).toBe("SUCCESS");
    await expect
      .poll(() => new Set(receiver.received().map(({ taskId }) => taskId)).size, { timeout: 90_000 })
      .toBe(ids.length);
    await dies.start();
  }
  const idOfTask = new Map(receiver.received().map(({ taskId, id }) => [taskId, id]));
  expect(new Set(idOfTask.values()).size).toBe(ids.length);
  expect(receiver.received().filter(({ taskId, id }) => idOfTask.get(taskId) !== id)).toEqual([]);
});
