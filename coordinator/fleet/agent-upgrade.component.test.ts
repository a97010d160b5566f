/** The order to become another version, between coordinator and agent. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pauseUpgrade, startUpgrade } from "../agent-upgrades/order-upgrade.ts";
import { advanceUpgrade } from "../agent-upgrades/upgrade-loop.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { type Coordinator, FleetFixture, readyAgent } from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeEach(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterEach(() => fixture.close());

test.each([
  ["of the batch", {}],
  ["that was chosen as the canary", { canary: "node-a" }],
])("sends the order to the node %s, and no longer once it is paused", async (_, chosen) => {
  const { agent } = await readyAgent(fixture, coordinator);
  const { store } = coordinator;
  const order = { version: "99.0.0", enrollmentAddress: "c:8444", batchSize: 1, nodeWithinMs: 60_000, ...chosen };
  const { orderId } = await startUpgrade(store, order, systemClock);
  const { upgrades: metrics } = createMetrics();
  await advanceUpgrade({ store, clock: systemClock, metrics, log: createLog({ name: "test", level: "silent" }) });
  const upgrade = { orderId, version: "99.0.0", enrollmentAddress: "c:8444", rollback: false };
  const received = async () => (await agent.next("nodeState")).upgrade;
  await expect.poll(received).toEqual(upgrade);
  await pauseUpgrade(store, systemClock);
  await expect.poll(received).toBeUndefined();
});
