/**
 * A complete agent: what its operator requests on the machine, what its coordinator receives, and what is reported of
 * it.
 */
import { join } from "node:path";
import { NodeStanding } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { drain } from "../commands/drain.ts";
import { status } from "../commands/status.ts";
import { makeTestCa } from "../testing/certificates.ts";
import { eventually } from "../testing/eventually.ts";
import { assignmentOf } from "../testing/orders.ts";
import { type ScriptedCoordinator, scriptCoordinator } from "../testing/scripted-coordinator.ts";
import { startTestAgent, testConfig } from "../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import type { DrainOrder } from "./drain-orders.ts";

const { NODE_STANDING_READY: READY, NODE_STANDING_DRAINING: DRAINING, NODE_STANDING_DRAINED: DRAINED } = NodeStanding;

afterAll(removeTemporaryFolders);

async function start() {
  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  const coordinator = await scriptCoordinator(ca.server());
  const config = testConfig(ca.node("n1"), [coordinator.address], { labels: { zone: "eu" } });
  const agent = await startTestAgent(config);
  onTestFinished(async () => {
    await agent.stop();
    coordinator.kill();
  });
  await coordinator.linked();
  const env = { ELASTIC_STATE_DIR: config.stateDir };
  const lines: string[] = [];
  const sendOrder = (order: DrainOrder, wait = false, signal = new AbortController().signal) =>
    drain(env, order, { wait, signal, onProgress: (line) => lines.push(line) });
  return { coordinator, env, lines, sendOrder };
}

/** The order that it receives next. */
function received(coordinator: ScriptedCoordinator, drainWanted: boolean) {
  return eventually(`an order ${drainWanted}`, () =>
    coordinator.nodes.find((report) => report.drainWanted === drainWanted),
  );
}

test("reports what remains of a drain that is waited for, until nothing runs on the machine either", async () => {
  const { coordinator, env, lines, sendOrder } = await start();
  coordinator.assign([assignmentOf("builtin:noop")]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  const drained = sendOrder({ kind: "drain", stopShells: true }, true);
  expect(await received(coordinator, true)).toMatchObject({ stopShells: true, spot: false, gpus: [] });
  coordinator.sendNodeState({ standing: DRAINING, runningAttempts: 2, shells: 1, workloads: 1 });
  await expect.poll(() => lines).toContain("draining: 2 attempts, 1 shell, 1 workload left");
  const { text } = await status(env, { json: false });
  expect(text).toContain("work      draining: 2 attempts, 1 shell, 1 workload left\n");
  expect(text).toContain("labels    zone=eu\n");
  // The records are empty before the machine is.
  coordinator.sendNodeState({ standing: DRAINED });
  await expect.poll(() => lines).toContain("drained: nothing is left here");
  const isOver = await Promise.race([drained.then(() => true), status(env, { json: true }).then(() => false)]);
  expect(isOver).toBe(false);
  coordinator.assign([]);
  expect(await drained).toEqual({ text: "drained: nothing is left here", done: true });
});

test("a drain is done once a coordinator has confirmed it, and resume once the node takes work", async () => {
  const { coordinator, sendOrder } = await start();
  const ordered = sendOrder({ kind: "drain", stopShells: false });
  await received(coordinator, true);
  coordinator.sendNodeState({ standing: DRAINING, runningAttempts: 1 });
  expect(await ordered).toEqual({ text: "draining: 1 attempt left", done: true });
  const resumed = sendOrder({ kind: "resume" });
  await received(coordinator, false);
  coordinator.sendNodeState({ standing: READY });
  expect(await resumed).toEqual({ text: "takes work", done: true });
});

test("a drain that somebody takes back elsewhere is waited for no longer, nor one that is interrupted", async () => {
  const { coordinator, lines, sendOrder } = await start();
  const taken = sendOrder({ kind: "drain", stopShells: false }, true);
  await received(coordinator, true);
  coordinator.sendNodeState({ standing: DRAINING, workloads: 1 });
  await expect.poll(() => lines).toContain("draining: 1 workload left");
  coordinator.sendNodeState({ standing: READY });
  expect(await taken).toMatchObject({ text: expect.stringContaining("taken back"), done: false });

  const interrupt = new AbortController();
  const given = sendOrder({ kind: "drain", stopShells: false }, true, interrupt.signal);
  interrupt.abort();
  expect(await given).toMatchObject({ text: "the node continues to drain", done: false });
});

test("reports that no agent runs on the machine", async () => {
  const env = { ELASTIC_STATE_DIR: temporaryFolder() };
  const options = { wait: false, signal: new AbortController().signal, onProgress: () => undefined };
  expect(await drain(env, { kind: "resume" }, options)).toMatchObject({
    text: expect.stringContaining("no agent runs"),
    done: false,
  });
});
