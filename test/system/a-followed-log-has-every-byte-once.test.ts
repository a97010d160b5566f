import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expectHeadDescribed } from "@elastic/coordinator/http/testing/conformance.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Agent } from "../cluster/agent.ts";
import type { ApiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();
/** A prover that writes so many lines over so long: a coordinator dies and comes back meanwhile. */
const LINES = 4_000;
const INPUT = `{"ms":5000,"lines":${LINES}}`;
const COMPLETE = Array.from({ length: LINES }, (_, line) => `line ${line + 1}\n`).join("");

let cluster: Cluster;
let client: ApiClient;
let coordinator: Coordinator;
let agent: Agent;

// What a test kills it starts again: one cluster serves them, but for the test that needs two coordinators.
beforeAll(async () => {
  cluster = await startCluster({ engine: noEngine === null });
  client = cluster.client();
  const [theCoordinator, theAgent] = [cluster.coordinators[0], cluster.agents[0]];
  if (theCoordinator === undefined || theAgent === undefined) throw new Error("the cluster has one of each");
  [coordinator, agent] = [theCoordinator, theAgent];
});
afterEach(() => client?.deleteServices());
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** Follows the log as a client does: after a cut it requests the rest, from the byte where it was. */
async function followToTheEnd(of: ApiClient, taskId: string, onBytes: (bytes: number) => void): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const readRest = async (): Promise<string> => {
    const path = `/v1/tasks/${taskId}/logs?attempt=1&follow=1&offset=${bytes}`;
    const response = await fetch(`${of.url}${path}`, { headers: { "x-api-key": of.key } });
    await expectHeadDescribed(response);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    for await (const piece of response.body ?? []) {
      pieces.push(Buffer.from(piece));
      bytes += piece.length;
      onBytes(bytes);
    }
    return Buffer.concat(pieces).toString();
  };
  return await until(`the log of task ${taskId} has ended`, readRest, { timeoutMs: 60_000, everyMs: 100 });
}

/** Follows a task's log while the only coordinator is killed and started again. */
async function followOverKill(serviceId: string): Promise<string> {
  const task = await client.postTask(serviceId, INPUT);
  const amid = Promise.withResolvers<void>();
  const log = followToTheEnd(client, task.task_id, (bytes) => {
    if (bytes > COMPLETE.length / 8) amid.resolve();
  });
  await amid.promise;
  await coordinator.kill();
  await coordinator.start();
  expect(await client.ended(task.task_id)).toMatchObject({ state: "SUCCESS", attempt: 1 });
  return await log;
}

test("the log of a builtin prover is followed through the death of its coordinator, every byte once", async () => {
  const { service_id } = await client.readyService("sleep", { image: "builtin:sleep" });
  expect(await followOverKill(service_id)).toBe(COMPLETE);
});

test.skipIf(noEngine !== null)(
  "and so is the log of a container, which afterwards is what anybody reads of it",
  async () => {
    const image = await cluster.publish("misbehave");
    const { service_id } = await client.readyService("sleep", { image, env: { MISBEHAVE: "sleep" } });
    expect(await followOverKill(service_id)).toBe(COMPLETE);
    const { items } = (await client.call(`/v1/tasks?service_id=${service_id}`)).json as {
      readonly items: readonly [{ readonly task_id: string }];
    };
    expect((await client.call(`/v1/tasks/${items[0].task_id}/logs`)).text).toBe(COMPLETE);
  },
);

test("serves at either coordinator the log that the other receives, and the task's progress", async () => {
  await using pair = await startCluster({ coordinators: 2 });
  const clients = pair.coordinators.map((one) => pair.client(one));
  const [first, second] = clients;
  if (first === undefined || second === undefined) throw new Error("the cluster has two coordinators");
  const { service_id } = await first.readyService("sleep", { image: "builtin:sleep" });
  const task = await first.postTask(service_id, INPUT);
  const logs = Promise.all(clients.map((one) => followToTheEnd(one, task.task_id, () => undefined)));
  for (const one of clients) {
    const progress = async () => ((await one.task(task.task_id)) as { progress?: { fraction: number } }).progress;
    await expect.poll(progress, { timeout: 6_000 }).toMatchObject({ fraction: expect.any(Number) });
  }
  const ended = await second.ended(task.task_id);
  expect(ended).toMatchObject({ state: "SUCCESS", progress: null });
  expect(await logs).toEqual([COMPLETE, COMPLETE]);
});

test("a log on its way is delivered though its coordinator and then its agent are killed", async () => {
  const state = join(cluster.folder, "agent-1-state");
  // Of the tests before.
  for (const name of ["spool", "logs"]) {
    await expect.poll(() => readdirSync(join(state, name)), { timeout: 90_000 }).toEqual([]);
  }
  const { service_id } = await client.readyService("sleep", { image: "builtin:sleep" });
  const task = await client.postTask(service_id, `{"ms":3000,"lines":${LINES}}`);
  await expect.poll(async () => (await client.task(task.task_id)).phase, { timeout: 90_000 }).toBe("running");
  await coordinator.kill();
  await expect.poll(() => readdirSync(join(state, "spool")), { timeout: 90_000 }).toHaveLength(1);
  await expect.poll(() => endOfLogOnDisk(join(state, "logs")), { timeout: 90_000 }).toBe(COMPLETE.length);
  await agent.kill();
  await coordinator.start();
  await agent.start();
  expect(await client.ended(task.task_id)).toMatchObject({ state: "SUCCESS", attempt: 1 });
  expect((await client.call(`/v1/tasks/${task.task_id}/logs?follow=1`)).text).toBe(COMPLETE);
});

/** A file of a log is named by its attempt and the offset of its first byte. */
function endOfLogOnDisk(folder: string): number {
  const [name] = readdirSync(folder);
  if (name === undefined) return 0;
  return Number(name.split(".")[1]) + statSync(join(folder, name)).size;
}

test.skipIf(noEngine !== null)("reads the output of a container that a new agent has adopted", async () => {
  const image = await cluster.publish("misbehave");
  const { service_id } = await client.readyService("sleep", { image, env: { MISBEHAVE: "sleep" } });
  const logOf = async (input: string) => {
    const { task_id } = await client.prove(service_id, input);
    return (await client.call(`/v1/tasks/${task_id}/logs?follow=1`)).text;
  };
  expect(await logOf('{"ms":10,"lines":3}')).toBe("line 1\nline 2\nline 3\n");
  await agent.kill();
  await agent.start();
  expect(await logOf('{"ms":10,"lines":5}')).toBe("line 1\nline 2\nline 3\nline 4\nline 5\n");
});
