import { expect, test } from "vitest";
import { readStoreHistory } from "../cluster/checker/store-history.ts";
import { startScenario } from "../scenario/scenario.ts";

const MIB = 1024 * 1024;
/** Its result is uploaded, and read by a link. */
const LARGE = JSON.stringify("x".repeat(9 * MIB));
/** Of the upload, when the agent is stopped. */
const UPLOADED_BYTES = MIB;
/** Longer than a node may be silent before it is lost. */
const FROZEN_MS = 20_000;

test("frozen past its fence in the middle of an upload: the other machine's result counts, complete", async () => {
  await using run = await startScenario({ agentSettings: { ELASTIC_SLOTS: "3" } });
  const [line] = run.lines.toCoordinators;
  if (line === undefined) throw new Error("a coordinator was started");
  const client = run.cluster.client();
  const scaling = { min: 2, max: 2 };
  const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo", scaling });
  let uploaded = 0;
  const sent = new WeakMap<object, number>();
  line.treat((chunk, passage) => {
    passage.pass(chunk);
    if (passage.direction === "response") return;
    const bytes = (sent.get(passage.connection) ?? 0) + chunk.length;
    sent.set(passage.connection, bytes);
    if (bytes < UPLOADED_BYTES || uploaded > 0) return;
    uploaded = bytes;
    // Until the agent is frozen.
    line.set("stall");
  });
  const { task_id } = await client.postTask(echo, LARGE);
  await run.fault(async () => {
    await expect.poll(() => uploaded, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
    const history = await readStoreHistory(run.cluster.etcd.endpoint);
    const phase = history.findLast(({ taskId }) => taskId === task_id)?.task?.phase;
    const agent = run.cluster.agents.find(({ nodeId }) => phase?.kind === "running" && phase.nodeId === nodeId);
    if (agent === undefined) throw new Error("an agent runs the task");
    await agent.pause();
    line.treat(null);
    line.set("pass");
    await run.lasts(FROZEN_MS);
    agent.resume();
  });
  const task = await client.ended(task_id);
  expect(task).toMatchObject({ state: "SUCCESS", attempt: 2 });
  expect((await (await fetch(task.result_url ?? "")).text()) === JSON.parse(LARGE)).toBe(true);
  const { requeues } = await run.verdict();
  expect(new Set(requeues.map(({ reason }) => reason))).toEqual(new Set(["node_lost"]));
});
