import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Coordinator, FleetFixture } from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeEach(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterEach(() => fixture.close());

test("knows when a node was last seen, and when its certificate ends, after its link has ended too", async () => {
  const { links } = coordinator.fleet;
  const files = fixture.ca.node("node-a");
  const agent = fixture.agent(coordinator, "node-a", files);
  expect(links.sighting("node-a")).toBeNull();
  const before = Date.now();
  await agent.hello();
  const certificateEndsAt = new X509Certificate(readFileSync(files.cert)).validToDate.getTime();
  const first = links.sighting("node-a");
  expect(first).toMatchObject({ certificateEndsAt, silenceReason: null });
  // Two clocks, one of which may be put right meanwhile.
  expect(first?.lastSeenAt).toBeGreaterThan(before - 1_000);
  await agent.heartbeat([{ uuid: "GPU-1", temperatureCelsius: 61, usedBytes: 7n }]);
  const lastSeenAt = links.sighting("node-a")?.lastSeenAt ?? 0;
  expect(lastSeenAt).toBeGreaterThanOrEqual((first?.lastSeenAt ?? 0) - 5);
  agent.close();
  await expect.poll(() => links.of("node-a")?.kind).toBe("unlinked");
  expect(links.sighting("node-a")).toMatchObject({
    certificateEndsAt,
    lastSeenAt: expect.any(Number),
    silenceReason: "the connection to its agent ended",
    gpuReadings: new Map([["GPU-1", { temperatureCelsius: 61, usedBytes: 7, utilisation: null }]]),
  });
});
