/** Heartbeats of agents' threads: they count for the link that they are of, also once it broke off, and for no other. */
import { systemClock } from "@elastic/std/clock.ts";
import { status } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { evicted } from "../domain/node.ts";
import { replace } from "../store/change.ts";
import type { FakeHeartbeats } from "./testing/fake-heartbeats.ts";
import { type Coordinator, FleetFixture, seen } from "./testing/fleet-fixture.ts";
import { hasty } from "./testing/hasty-clock.ts";

const SLOWLY = { timeout: 60_000 };
const SUPERSEDED = { code: status.ABORTED };
const NOT_THE_NEWEST = { code: status.FAILED_PRECONDITION };

async function openFleet() {
  const fixture = await FleetFixture.open();
  const coordinator = await fixture.coordinator({ clock: hasty });
  return { fixture, coordinator, [Symbol.asyncDispose]: () => fixture.close() };
}

function stateOf({ store }: Coordinator, nodeId: string): string | undefined {
  return store.view.nodes.get(nodeId)?.value.state;
}

async function isLost({ store }: Coordinator, nodeId: string): Promise<void> {
  await seen(store.view.nodes, nodeId, ({ state }) => state === "lost");
}

test.concurrent("loses no node whose link broke off while heartbeats of its thread arrive", SLOWLY, async () => {
  await using fleet = await openFleet();
  const { fixture, coordinator: leader } = fleet;
  const standby = await fixture.coordinator({ clock: hasty });
  const busy = { atLeader: fixture.agent(leader, "node-a"), atStandby: fixture.agent(standby, "node-b") };
  const heartbeats: FakeHeartbeats[] = [];
  for (const agent of Object.values(busy)) {
    await agent.hello();
    heartbeats.push(agent.heartbeats({ loopSilentMs: 20_000 }));
  }
  const others = ["node-c", "node-d", "node-e", "node-f"].map((nodeId) => fixture.agent(leader, nodeId));
  await Promise.all([...others.map((other) => other.hello()), ...heartbeats.map(({ accepted }) => accepted)]);
  for (const agent of Object.values(busy)) agent.breakLink();
  others[0]?.close();

  await isLost(leader, "node-c");
  expect([stateOf(leader, "node-a"), stateOf(leader, "node-b")]).toEqual(["ready", "ready"]);
  expect(leader.fleet.links.of("node-a")?.kind).toBe("unresponsive");
  expect(leader.fleet.links.sighting("node-a")?.silenceReason).toContain("has not responded for 20 s");
});

test.concurrent("heartbeats alone count for about two minutes: of a link that stays away, and of a silent loop", async () => {
  await using fleet = await openFleet();
  let aheadMs = 0;
  const clock = { now: () => systemClock.now(), monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  const coordinator = await fleet.fixture.coordinator({ clock });
  const agent = fleet.fixture.agent(coordinator, "node-v");
  await agent.hello();
  await expect(agent.heartbeats({ loopSilentMs: 3_600_000 }).accepted).rejects.toMatchObject(NOT_THE_NEWEST);
  const heartbeats = agent.heartbeats();
  await heartbeats.accepted;
  agent.breakLink();
  await expect.poll(() => coordinator.fleet.links.get("node-v")).toBeUndefined();
  aheadMs = 136_000;
  expect(await heartbeats.ended).toMatchObject({ code: status.FAILED_PRECONDITION });
  await expect(agent.heartbeats().accepted).rejects.toMatchObject(NOT_THE_NEWEST);
});

test.concurrent("ends the heartbeats of a link that a newer one took over, and accepts none of it again", async () => {
  await using fleet = await openFleet();
  const { fixture, coordinator } = fleet;
  const before = fixture.agent(coordinator, "node-a");
  await before.hello();
  const heartbeats = before.heartbeats();
  await heartbeats.accepted;
  const rival = fixture.agent(coordinator, "node-a");
  await rival.hello({ sessionId: "session-2" });
  expect(await heartbeats.ended).toMatchObject(SUPERSEDED);
  await expect(before.heartbeats().accepted).rejects.toMatchObject(NOT_THE_NEWEST);
  await rival.heartbeats().accepted;
});

test.concurrent("ends the heartbeats of an evicted node", async () => {
  await using fleet = await openFleet();
  const { fixture, coordinator } = fleet;
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  const heartbeats = agent.heartbeats();
  await heartbeats.accepted;
  agent.breakLink();
  const node = await coordinator.store.get("nodes", "node-a");
  if (node === null) throw new Error("the node has no record");
  await coordinator.store.commit([replace("nodes", node, evicted(node.value, Date.now()))]);
  expect((await heartbeats.ended).details).toContain("was evicted");
});

test.concurrent(
  "loses a node whose heartbeats stop with their stream open, and accepts them only after a hello",
  SLOWLY,
  async () => {
    await using fleet = await openFleet();
    const { fixture, coordinator } = fleet;
    const agent = fixture.agent(coordinator, "node-a");
    await agent.hello();
    const heartbeats = agent.heartbeats();
    await heartbeats.accepted;
    agent.breakLink();
    heartbeats.freeze();
    await isLost(coordinator, "node-a");
    expect(await heartbeats.ended).toMatchObject({ code: status.UNAVAILABLE });
    await expect(agent.heartbeats().accepted).rejects.toMatchObject(NOT_THE_NEWEST);
    const back = fixture.agent(coordinator, "node-a");
    await back.hello();
    await back.heartbeats().accepted;
  },
);

test.concurrent("accepts one stream of heartbeats of a link, the newest, and none without a link", async () => {
  await using fleet = await openFleet();
  const { fixture, coordinator } = fleet;
  const agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  await expect(agent.heartbeats({ linkId: "" }).accepted).rejects.toMatchObject(NOT_THE_NEWEST);
  const newer = [agent.heartbeats(), agent.heartbeats()];
  await newer[1]?.accepted;
  expect(await newer[0]?.ended).toMatchObject(SUPERSEDED);
});
