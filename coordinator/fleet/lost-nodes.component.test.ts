import { until } from "@elastic/deploy/local/until.ts";
import { AttemptVerdict, Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { status } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { type Coordinator, createTask, FleetFixture, readyAgent, seen } from "./testing/fleet-fixture.ts";
import { hasty } from "./testing/hasty-clock.ts";
import { workloadUp } from "./testing/ready-fleet.ts";

const { ATTEMPT_VERDICT_COMMITTED: COMMITTED, ATTEMPT_VERDICT_STALE: STALE } = AttemptVerdict;

const SLOWLY = { timeout: 60_000 };

async function openFleet() {
  const fixture = await FleetFixture.open();
  const coordinator = await fixture.coordinator({ clock: hasty });
  return { fixture, coordinator, [Symbol.asyncDispose]: () => fixture.close() };
}

test.concurrent(
  "marks a node lost that does not come back, and runs its task on another at no cost",
  SLOWLY,
  async () => {
    await using fleet = await openFleet();
    const { fixture, coordinator } = fleet;
    const { agent, service, deployment } = await readyAgent(fixture, coordinator, {
      deployment: { scaling: { min: 1, max: 2 } },
    });
    const task = await createTask(coordinator.store, service);
    const first = await agent.nextStart();
    const other = fixture.agent(coordinator, "node-b");
    await other.hello();
    agent.close();

    await seen(coordinator.store.view.nodes, "node-a", ({ state }) => state === "lost");
    const [assignment] = await other.bringUp(1);
    expect(assignment?.workload?.value).toMatchObject({ deploymentId: deployment.id });
    const second = await other.nextStart();
    expect(second.attempt).toMatchObject({ taskId: task.id, number: 2 });
    expect(coordinator.store.view.tasks.get(task.id)?.value).toMatchObject({
      attempts: { started: 2, lost: 1, infrastructure: 0 },
      avoidNodeIds: ["node-a"],
    });

    const back = fixture.agent(coordinator, "node-a");
    const welcome = await back.hello({ attempts: first.attempt ? [first.attempt] : [] });
    expect(welcome.directives[0]?.directive).toBe(Directive.DIRECTIVE_CANCEL);
    expect((await back.succeed(first.attempt, "late")).verdict).toBe(STALE);
    expect((await other.succeed(second.attempt, "in time")).verdict).toBe(COMMITTED);
  },
);

test.concurrent("marks a silent node lost, and ends its link so that its agent reconnects", SLOWLY, async () => {
  await using fleet = await openFleet();
  const { fixture, coordinator } = fleet;
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  agent.freeze();
  await seen(coordinator.store.view.nodes, "node-a", ({ state }) => state === "lost");
  expect(await agent.ended()).toMatchObject({ code: status.UNAVAILABLE });
  await fixture.agent(coordinator, "node-a").hello();
  await seen(coordinator.store.view.nodes, "node-a", ({ state }) => state === "ready");
});

test.concurrent("marks a node lost only when no coordinator reaches it", SLOWLY, async () => {
  await using fleet = await openFleet();
  const { fixture, coordinator: leader } = fleet;
  const standby = await fixture.coordinator({ clock: hasty });
  const byStandby = fixture.agent(standby, "node-a");
  await byStandby.hello();
  const others = ["node-a", "node-b", "node-c", "node-d"].map((nodeId) => fixture.agent(leader, nodeId));
  await Promise.all(others.map((other) => other.hello()));
  for (const gone of others.slice(0, 2)) gone.close();

  await seen(leader.store.view.nodes, "node-b", ({ state }) => state === "lost");
  expect(leader.store.view.nodes.get("node-a")?.value.state).toBe("ready");
  byStandby.close();
  await seen(leader.store.view.nodes, "node-a", ({ state }) => state === "lost");
});

test.concurrent("requeues nothing while most nodes are gone, until they return", SLOWLY, async () => {
  await using fleet = await openFleet();
  const { fixture, coordinator } = fleet;
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const task = await createTask(coordinator.store, service);
  const { attempt } = await agent.nextStart();
  const others = ["node-b", "node-c", "node-d", "node-e"].map((nodeId) => fixture.agent(coordinator, nodeId));
  await Promise.all(others.map((other) => other.hello()));
  for (const gone of [agent, ...others.slice(0, 2)]) gone.close();

  await breakerIs(coordinator, 1);
  expect(coordinator.store.view.tasks.get(task.id)?.value.phase).toMatchObject({ kind: "running", attempt: 1 });
  expect(coordinator.store.view.nodes.get("node-a")?.value.state).toBe("ready");

  const back = fixture.agent(coordinator, "node-a");
  await back.hello({ attempts: attempt ? [attempt] : [], workloads: [workloadUp(assignmentId)] });
  // Two of five is no mass failure: the circuit breaker closes and those two are lost.
  await seen(coordinator.store.view.nodes, "node-b", ({ state }) => state === "lost");
  await breakerIs(coordinator, 0);
  expect((await back.succeed(attempt, "kept")).verdict).toBe(COMMITTED);
});

async function breakerIs({ metrics }: Coordinator, value: number): Promise<void> {
  const look = async () => {
    const gauge = await metrics.registry.getSingleMetric("elastic_scheduler_brake")?.get();
    return gauge?.values[0]?.value === value ? true : undefined;
  };
  await until(`the circuit breaker to be ${value}`, look, { timeoutMs: 30_000 });
}
