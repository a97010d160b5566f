import { expect, test } from "vitest";
import { readStoreHistory } from "../cluster/checker/store-history.ts";
import { cutOff } from "../scenario/packets.ts";
import { startScenario } from "../scenario/scenario.ts";

const RUN_MS = 12_000;
/** Before the first attempt ends; its outcome waits at its agent then. */
const CUT_OFF_AFTER_MS = 9_000;
const REQUEUED_WITHIN_MS = 25_000;
const LINKED_WITHIN_MS = 20_000;

test("an agent that proved while it was cut off reports while another proves again: the second attempt ends the task", async () => {
  await using run = await startScenario({ machines: 2 });
  const client = run.cluster.client();
  const taskId = await run.create(`{"ms":${RUN_MS}}`);
  const phaseIs = async () => (await client.task(taskId)).phase;
  await expect.poll(phaseIs, { timeout: 15_000 }).toBe("running");
  const lastOf = async () =>
    (await readStoreHistory(run.cluster.etcd.endpoint)).findLast((event) => event.taskId === taskId)?.task;
  const first = (await lastOf())?.phase;
  const at = run.cluster.agents.findIndex(({ nodeId }) => first?.kind === "running" && first.nodeId === nodeId);
  const [agent, machine] = [run.cluster.agents[at], run.lines.machines[at]];
  if (agent === undefined || machine === undefined) throw new Error("an agent runs the task");
  await run.lasts(CUT_OFF_AFTER_MS);
  await run.fault(async () => {
    const cut = await cutOff(machine, ["incoming", "outgoing"]);
    const attempt = async () => (await client.task(taskId)).attempt;
    await expect.poll(attempt, { timeout: REQUEUED_WITHIN_MS }).toBe(2);
    await cut.heal();
    const node = async () => (await client.call(`/v1/nodes/${agent.nodeId}`)).json;
    await expect.poll(node, { timeout: LINKED_WITHIN_MS }).toMatchObject({ state: "READY" });
    expect(await client.task(taskId)).toMatchObject({ state: "PENDING", attempt: 2 });
  });
  expect(await client.ended(taskId)).toMatchObject({ state: "SUCCESS", attempt: 2 });
  const [, , , second, succeeded] = (await lastOf())?.timeline ?? [];
  expect([second?.[1], succeeded?.[1]]).toEqual(["started", "succeeded"]);
  expect((succeeded?.[0] ?? 0) - (second?.[0] ?? 0)).toBeGreaterThan(RUN_MS - 500);
  await run.verdict();
});
