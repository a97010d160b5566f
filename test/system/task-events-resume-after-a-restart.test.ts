import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { followTask } from "../cluster/event-client.ts";

test("a client that follows a task over coordinators that are killed and stopped misses no event and receives none twice", async () => {
  await using cluster = await startCluster({ coordinators: 2, agents: 2 });
  const [one, two] = cluster.coordinators;
  if (one === undefined || two === undefined) throw new Error("two coordinators were started");
  const service = await cluster.client(one).readyService("sleep", { image: "builtin:sleep" });
  const { task_id: taskId } = await cluster.client(one).postTask(service.service_id, '{"ms":600000}');

  let current = one;
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const hearing = (type: string): PromiseWithResolvers<void> => {
    const known = arrivals.get(type) ?? Promise.withResolvers<void>();
    arrivals.set(type, known);
    return known;
  };
  const following = followTask({
    key: cluster.firstKey.key,
    taskId,
    at: () => current,
    onEvent: ({ type }) => hearing(type).resolve(),
  });
  await hearing("task.started").promise;

  // Killed while the stream is open: the client resumes at the other, which has a separate view.
  await one.kill();
  current = two;
  // Every agent dies, and what was running is queued again.
  for (const agent of cluster.agents) await agent.kill();
  for (const agent of cluster.agents) await agent.start();
  await hearing("task.requeued").promise;
  await one.start();
  // Stopped in good order it ends its streams, and the client resumes at the first.
  current = one;
  await two.stop();
  const client = cluster.client(one);
  await expect.poll(async () => (await client.task(taskId)).phase, { timeout: 90_000 }).toBe("running");
  await client.call(`/v1/tasks/${taskId}/cancel`, { method: "POST" });

  const events = await following;
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index));
  const types = events.map(({ type }) => type);
  expect([types[0], types[1], types.at(-1)]).toEqual(["task.created", "task.started", "task.cancelled"]);
  const between = types.slice(2, -1);
  expect(between.length).toBeGreaterThan(0);
  expect(between).toEqual(between.map((_, index) => (index % 2 === 0 ? "task.requeued" : "task.started")));
});
