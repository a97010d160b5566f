/** A drain between agent and coordinator: who requests it, what it excludes, and what the agent receives of it. */
import { type NodeReport, NodeStanding } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { evicted, type Node } from "../domain/node.ts";
import { drain, resume } from "../domain/node-drain.ts";
import { replace } from "../store/change.ts";
import { DRAIN_CHANGES } from "./limits.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import {
  type Coordinator,
  createTask,
  deployService,
  FleetFixture,
  readyAgent,
  seen,
} from "./testing/fleet-fixture.ts";

const { NODE_STANDING_READY: READY, NODE_STANDING_DRAINING: DRAINING, NODE_STANDING_DRAINED: DRAINED } = NodeStanding;

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeEach(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterEach(() => fixture.close());

async function become(nodeId: string, next: (node: Node) => Node): Promise<void> {
  const node = await coordinator.store.get("nodes", nodeId);
  if (node === null) throw new Error(`there is no node ${nodeId}`);
  await coordinator.store.commit([replace("nodes", node, next(node.value))]);
}

const drainRequest = (stopShells: boolean) => (node: Node) => drain(node, { askedAt: 1, userId: null, stopShells });

function order(agent: FakeAgent, given: Partial<NodeReport>): void {
  agent.send({
    $case: "nodeReport",
    value: { gpus: [], drainWanted: undefined, stopShells: false, spot: false, ...given },
  });
}

/** Of an order that was refused. */
async function responseOf(agent: FakeAgent) {
  for (;;) {
    const state = await agent.next("nodeState");
    if (state.orderRefused !== undefined) return state;
  }
}

async function stateOf(agent: FakeAgent, standing: NodeStanding) {
  for (;;) {
    const state = await agent.next("nodeState");
    if (state.standing === standing) return state;
  }
}

test("a node that drains lets its attempt end, accepts nothing new meanwhile, and is then reported as drained", async () => {
  const { agent, service } = await readyAgent(fixture, coordinator);
  expect(await stateOf(agent, READY)).toMatchObject({ runningAttempts: 0 });
  await createTask(coordinator.store, service);
  const running = await agent.nextStart();
  await become("node-a", drainRequest(false));
  expect(await stateOf(agent, DRAINING)).toMatchObject({ runningAttempts: 1, workloads: 1, shells: 0 });

  const waiting = await createTask(coordinator.store, service);
  const idle = await deployService(coordinator.store, { scaling: { min: 1 } });
  await agent.heartbeat();
  expect(agent.untaken("attemptCommands")).toBe(0);
  expect(coordinator.store.view.tasks.get(waiting.id)?.value.phase.kind).toBe("queued");

  await agent.succeed(running.attempt, "done");
  expect(await stateOf(agent, DRAINED)).toMatchObject({ runningAttempts: 0, workloads: 0 });
  const held = [...coordinator.store.view.assignments.values()].map(({ value }) => value.nodeId);
  expect(held).toEqual([]);

  await become("node-a", (node) => resume(node, 2));
  await stateOf(agent, READY);
  const assignments = await agent.bringUp(2);
  const serviceIds = assignments.map(({ workload }) =>
    workload?.$case === "deployment" ? workload.value.serviceId : "",
  );
  expect(serviceIds.sort()).toEqual([service.id, idle.service.id].sort());
  expect((await agent.nextStart()).attempt).toMatchObject({ taskId: waiting.id });
});

test("what waits for a draining node goes to another", async () => {
  const { agent, service } = await readyAgent(fixture, coordinator);
  await become("node-a", drainRequest(false));
  await stateOf(agent, DRAINED);
  const other = fixture.agent(coordinator, "node-b");
  await other.hello();
  await other.bringUp(1);
  const task = await createTask(coordinator.store, service);
  expect((await other.nextStart()).attempt).toMatchObject({ taskId: task.id, number: 1 });
});

test("stores a drain that is requested on the machine, responds to it, and resumes the node from there", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  await stateOf(agent, READY);
  order(agent, { drainWanted: true, stopShells: true });
  await stateOf(agent, DRAINED);
  const { drain: kept } = await seen(coordinator.store.view.nodes, "node-a", ({ state }) => state === "draining");
  expect(kept).toMatchObject({ userId: null, stopShells: true, askedAt: expect.any(Number) });
  // A report of something else requests nothing, and a repeated request gets a response too.
  order(agent, {});
  order(agent, { drainWanted: true });
  await stateOf(agent, DRAINED);
  expect(coordinator.store.view.nodes.get("node-a")?.value.drain).toEqual(kept);
  order(agent, { drainWanted: false });
  await stateOf(agent, READY);
  expect(coordinator.store.view.nodes.get("node-a")?.value).not.toHaveProperty("drain");
});

test("sends a restarted agent its node's drain at once", async () => {
  const { agent } = await readyAgent(fixture, coordinator);
  await become("node-a", drainRequest(false));
  await stateOf(agent, DRAINED);
  agent.close();
  const agentAfter = fixture.agent(coordinator, "node-a");
  await agentAfter.hello({ sessionId: "session-2" });
  expect((await agentAfter.next("nodeState")).standing).toBe(DRAINED);
});

test("what an evicted node ran is given to another at once, and costs its task no attempt", async () => {
  const { service, agent } = await readyAgent(fixture, coordinator, { deployment: { scaling: { min: 1, max: 2 } } });
  const task = await createTask(coordinator.store, service);
  const first = await agent.nextStart();
  const other = fixture.agent(coordinator, "node-b");
  await other.hello();
  await become("node-a", (node) => evicted(node, 1));
  expect((await agent.ended()).details).toContain("was evicted");
  await other.bringUp(1);
  const second = await other.nextStart();
  expect(second.attempt).toMatchObject({ taskId: task.id, number: 2 });
  expect(second.attempt?.token).not.toEqual(first.attempt?.token);
  expect(coordinator.store.view.tasks.get(task.id)?.value.attempts).toMatchObject({ lost: 1, infrastructure: 0 });
});

test("refuses to resume a node whose machine alternates beyond a person's rate, with the reason, and drains it always", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  for (let change = 0; change < DRAIN_CHANGES.max; change++) {
    const drainWanted = change % 2 === 0;
    order(agent, { drainWanted });
    await stateOf(agent, drainWanted ? DRAINED : READY);
  }
  order(agent, { drainWanted: true });
  await stateOf(agent, DRAINED);
  const { revision } = coordinator.store.view.nodes.get("node-a") ?? {};
  for (let times = 0; times < 3; times++) {
    order(agent, { drainWanted: false });
    const state = await responseOf(agent);
    expect(state.standing).toBe(DRAINED);
    expect(state.orderRefused).toMatch(/12 times within the hour.*repeat the order in 60 minutes.*elastic node resume/);
    order(agent, { drainWanted: true });
  }
  expect(coordinator.store.view.nodes.get("node-a")?.revision).toBe(revision);
  // An operator may.
  await become("node-a", (node) => resume(node, 2));
  await stateOf(agent, READY);
});

test("a spot notice of the machine drains its node for good, with its shells", async () => {
  const { agent } = await readyAgent(fixture, coordinator);
  order(agent, { drainWanted: true, spot: true });
  await stateOf(agent, DRAINING);
  const drainOf = () => coordinator.store.view.nodes.get("node-a")?.value.drain;
  await expect.poll(drainOf).toMatchObject({ spot: true, stopShells: true });
  order(agent, { drainWanted: true });
  await agent.heartbeat();
  expect(drainOf()).toMatchObject({ spot: true, stopShells: true });
});
