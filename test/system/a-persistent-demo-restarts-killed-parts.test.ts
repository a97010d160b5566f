import { existsSync } from "node:fs";
import { until } from "@elastic/deploy/local/until.ts";
import { expect, test } from "vitest";
import { apiClient } from "../cluster/api-client.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { demoState, isAlive, startDemo } from "./demo-process.ts";
import { INPUT } from "./statement.ts";

const noEngine = await whyNoEngineHere();

const START_TIMEOUT_MS = 150_000;
/** As a service manager would. */
const RESTART_TIMEOUT_MS = 1500;
const RECOVERY_TIMEOUT_MS = 150_000;

test("restarts each killed part of a persistent demo within a second, and proofs continue", async () => {
  await killEach(["etcd", "coordinator", "agent"]);
});

test.skipIf(noEngine !== null)("so are the engine and the registry of one that runs in a container", async () => {
  await killEach(["engine", "registry"], "--container");
});

async function killEach(parts: readonly string[], ...options: readonly string[]): Promise<void> {
  using work = makeWorkFolder();
  const demo = await startDemo(work.path, "--keep", ...options);
  await demo.child.line((line) => line.includes("Three commands") || undefined, START_TIMEOUT_MS);
  const { url, key, service_id: serviceId, pids } = demoState(demo);
  expect(Object.keys(pids)).toEqual(expect.arrayContaining(["supervisor", "etcd", "coordinator", "agent", ...parts]));
  const client = apiClient({ url: url ?? "", key: key ?? "" });

  for (const part of parts) {
    const before = demoState(demo).pids[part] ?? 0;
    process.kill(before, "SIGKILL");
    await until(
      `${part} is another process`,
      () => {
        const now = demoState(demo).pids[part];
        return (isAlive(now) && now !== before) || undefined;
      },
      { timeoutMs: RESTART_TIMEOUT_MS, everyMs: 10 },
    );
    const task = await until("a task is accepted", () => client.postTask(serviceId ?? "", INPUT), {
      timeoutMs: RECOVERY_TIMEOUT_MS,
    });
    expect(await client.ended(task.task_id)).toMatchObject({ state: "SUCCESS", failure: null });
  }

  const last = demoState(demo).pids;
  const stop = await startDemo(work.path, "--stop");
  expect((await stop.child.exited).code).toBe(0);
  expect((await demo.child.exited).code).toBe(0);
  expect(Object.values(last).filter(isAlive)).toEqual([]);
  expect(existsSync(demo.folder)).toBe(false);
}

test("rejects a second demo while one is running, and Ctrl-C ends it", async () => {
  using work = makeWorkFolder();
  const demo = await startDemo(work.path, "--keep");
  await demo.child.line((line) => line.includes("Three commands") || undefined, START_TIMEOUT_MS);
  const { pids } = demoState(demo);
  const second = await startDemo(work.path);
  expect((await second.child.exited).code).toBe(1);
  expect(second.child.tail()).toMatch(/running already.*--stop/);
  demo.child.signal("SIGINT");
  expect((await demo.child.exited).code).toBe(0);
  expect(Object.values(pids).filter(isAlive)).toEqual([]);
  expect(existsSync(demo.folder)).toBe(false);
});
