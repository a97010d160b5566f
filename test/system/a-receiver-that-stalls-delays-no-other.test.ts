import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { ALLOW_RECEIVERS, type RecordingReceiver, receiverOf } from "./webhook-scenario.ts";

/** With the one that stalls as many as a service may have. */
const HEALTHY = 9;
const TASKS = 50;
/** Far below the twenty seconds for which the one that stalls is waited for, far above what a busy machine takes. */
const LATE_MS_MAX = 10_000;

test("delivers every task to nine receivers in time while a tenth does not respond", async () => {
  await using cluster = await startCluster({ coordinatorSettings: ALLOW_RECEIVERS });
  await using receivers = new AsyncDisposableStack();
  const client = cluster.client();
  const { service_id: serviceId } = await client.readyService("noop", { image: "builtin:noop" });
  const stalls = receivers.use(await receiverOf(client, serviceId, () => undefined));
  const healthy: RecordingReceiver[] = [];
  for (let n = 0; n < HEALTHY; n++) {
    const accept = (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
      response.writeHead(200).end();
    healthy.push(receivers.use(await receiverOf(client, serviceId, accept)));
  }
  const posted = await Promise.all(Array.from({ length: TASKS }, () => client.postTask(serviceId, "1")));
  for (const { task_id: id } of posted) expect((await client.ended(id)).state).toBe("SUCCESS");
  const counts = () => healthy.map((receiver) => receiver.received().length);
  await expect.poll(counts, { timeout: 90_000 }).toEqual(Array(HEALTHY).fill(TASKS));
  const late = healthy.flatMap((receiver) => receiver.received().map(({ lateMs }) => lateMs)).sort((a, b) => a - b);
  expect(late[Math.floor(late.length * 0.99)]).toBeLessThan(LATE_MS_MAX);
  expect(stalls.received()).toHaveLength(1);
});
