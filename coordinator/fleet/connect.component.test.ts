import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Heartbeat, Hello } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Gpu, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { foreignNodeCertificate } from "@elastic/test/cluster/certificates.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Coordinator, FleetFixture, seen } from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeAll(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterAll(async () => {
  await fixture.close();
});

test("a hello makes the node's record, and the welcome says what the agent has to keep to", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  const welcome = await agent.hello({ slots: 3, agentVersion: "9.9" });
  expect(welcome).toMatchObject({
    coordinatorId: "coordinator-1",
    heartbeatIntervalMs: 3_000,
    fenceAfterMs: 12_000,
    limits: { inlineResultBytesMax: 4096, chunkBytesMax: 262144, logTailBytesMax: 4096 },
  });
  const node = await seen(coordinator.store.view.nodes, "node-a", ({ state }) => state === "ready");
  expect(node).toMatchObject({ agentVersion: "9.9", sessionId: "session-1", inventory: { slots: 3 } });
  await agent.heartbeat();
  await agent.heartbeat();
});

test("sends an agent the coordinators once when one came after its welcome, and when one went", async () => {
  const agent = fixture.agent(coordinator, "node-news");
  await agent.hello();
  // The responses to its own heartbeats would come first.
  agent.freeze();
  expect(await agent.heartbeat()).toEqual([]);
  const late = await fixture.coordinator();
  expect(await agent.heartbeat()).toEqual([coordinator.fleet.address, late.fleet.address]);
  expect(await agent.heartbeat()).toEqual([]);
  await late.stop();
  expect(await agent.heartbeat()).toEqual([coordinator.fleet.address]);
});

test("a certificate that the CA did not sign opens no link", async () => {
  const dir = mkdtempSync(join(tmpdir(), "foreign-"));
  const foreign = foreignNodeCertificate(dir, "node-a");
  const agent = fixture.agent(coordinator, "node-a", { ...foreign, ca: fixture.ca.node("node-a").ca });
  await expect(agent.hello()).rejects.toMatchObject({ code: status.UNAVAILABLE });
  rmSync(dir, { recursive: true });
});

test("a certificate that names no node is refused with the reason", async () => {
  const agent = fixture.agent(coordinator, "-no-name-");
  await expect(agent.hello()).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
    details: expect.stringContaining("elastic://node/<node id>"),
  });
});

test("a server's certificate is none for an agent", async () => {
  const agent = fixture.agent(coordinator, "node-a", fixture.ca.coordinator());
  await expect(agent.hello()).rejects.toMatchObject({ code: status.UNAVAILABLE });
});

test("an agent that says it is another node is refused", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await expect(agent.hello({ nodeId: "node-b" })).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
    details: "the certificate is that of node node-a, not of node-b",
  });
  expect(coordinator.store.view.nodes.get("node-b")).toBeUndefined();
});

test("a version that this coordinator does not speak is refused", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  await expect(agent.hello({ protocolVersion: 99 })).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
});

test.each([["a session id that is none", { sessionId: "x" }]] as const)(
  "a hello with %s is refused",
  async (_, given) => {
    const agent = fixture.agent(coordinator, "node-a");
    await expect(agent.hello(given as Partial<Hello>)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  },
);

test("a hello without an inventory is refused", async () => {
  const agent = fixture.agent(coordinator, "node-a");
  const hello = Hello.fromPartial({ nodeId: "node-a", protocolVersion: 1, sessionId: "session-1" });
  agent.send({ $case: "hello", value: hello });
  expect(await agent.ended()).toMatchObject({ code: status.INVALID_ARGUMENT });
});

test("nothing comes before the hello, and no second one after it", async () => {
  const early = fixture.agent(coordinator, "node-a");
  early.send({ $case: "heartbeat", value: Heartbeat.fromPartial({ sequence: 1n }) });
  expect(await early.ended()).toMatchObject({ code: status.INVALID_ARGUMENT });

  const twice = fixture.agent(coordinator, "node-a");
  await twice.hello();
  await expect(twice.hello()).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
});

test("a newer link of the same node fences the older one", async () => {
  const older = fixture.agent(coordinator, "node-c");
  await older.hello();
  const newer = fixture.agent(coordinator, "node-c");
  await newer.hello();
  expect(await older.ended()).toMatchObject({ code: status.ABORTED });
  await newer.heartbeat();
  expect(coordinator.fleet.links.of("node-c")).toMatchObject({ kind: "linked" });
});

test("rejects an inventory that does not fit a record with a message", async () => {
  const agent = fixture.agent(coordinator, "node-d");
  const labels = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`${n}`.padEnd(128, "k"), "v".repeat(128)]));
  const gpu = { uuid: "u".repeat(128), model: "m".repeat(128), memoryBytes: 1n, driverVersion: "", migProfile: "" };
  const hello = Hello.fromPartial({
    nodeId: "node-d",
    protocolVersion: 1,
    sessionId: "session-1",
    inventory: { hostname: "h", slots: 1, labels, gpus: Array.from({ length: 128 }, () => gpu) },
  });
  agent.send({ $case: "hello", value: hello });
  expect(await agent.ended()).toMatchObject({ code: status.INVALID_ARGUMENT });
});

test("a certificate that has ended opens no link", async () => {
  const inTwoMonths = { ...systemClock, now: () => Date.now() + 60 * 24 * 3_600_000 };
  const later = await fixture.coordinator({ clock: inTwoMonths });
  const agent = fixture.agent(later, "node-e");
  await expect(agent.hello()).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
    details: "the certificate has ended: connect with a new one",
  });
  expect(later.fleet.links.of("node-e")).toBeNull();
});

test("stores the health of a node's GPUs in its record, and skips GPUs that it does not have", async () => {
  const agent = fixture.agent(coordinator, "node-gpus");
  const gpus = ["GPU-1", "GPU-2"].map((uuid) => Gpu.fromPartial({ uuid, model: "NVIDIA H200" }));
  await agent.hello({ inventory: Inventory.fromPartial({ hostname: "h", slots: 2, gpus }) });
  const says = (reasons: readonly (string | null)[]) =>
    seen(coordinator.store.view.nodes, "node-gpus", ({ inventory }) =>
      isDeepStrictEqual(
        inventory.gpus.map((gpu) => gpu.unhealthyReason),
        reasons,
      ),
    );
  const report = (gpus: readonly { uuid: string; unhealthyReason: string }[]) =>
    agent.send({
      $case: "nodeReport",
      value: { gpus: [...gpus], drainWanted: undefined, stopShells: false, spot: false },
    });
  await says([null, null]);
  const lost = "the GPU fell off the bus (Xid 79)";
  report([
    { uuid: "GPU-2", unhealthyReason: lost },
    { uuid: "GPU-9", unhealthyReason: "not here" },
  ]);
  await says([null, lost]);
  report([{ uuid: "GPU-2", unhealthyReason: "" }]);
  await says([null, null]);
});

test("reads the clock of a node from its heartbeats, to half the time that messages take, and of no other acknowledgement", async () => {
  const agent = fixture.agent(coordinator, "node-clock");
  await agent.hello();
  const { readings } = coordinator.clocks;
  const aheadMs = () =>
    readings.aheadOf("node/node-clock", { aheadOfMonotonicMs: systemClock.now() - systemClock.monotonicMs() });
  const wallUnixMs = () => BigInt(systemClock.now() + 3_600_000);
  await agent.heartbeat([], { wallUnixMs: wallUnixMs(), acknowledgedSequence: 77n });
  expect(aheadMs()).toBeNull();
  // Another heartbeat of the fixture may come between the two.
  await expect
    .poll(async () => {
      const sequence = 1_000n;
      await agent.heartbeat([], { sequence });
      await agent.heartbeat([], { wallUnixMs: wallUnixMs(), acknowledgedSequence: sequence });
      return Math.abs((aheadMs() ?? 0) - 3_600_000);
    })
    .toBeLessThan(500);
});
