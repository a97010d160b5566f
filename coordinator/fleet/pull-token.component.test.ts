import { Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { newId } from "@elastic/std/ids.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPullGrant } from "../registry/pull-grant.ts";
import { remove } from "../store/change.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { type Coordinator, FleetFixture, readyAgent } from "./testing/fleet-fixture.ts";

const NOT_FOUND = { code: status.NOT_FOUND };

let fixture: FleetFixture;
let coordinator: Coordinator;
let thief: FakeAgent;
beforeAll(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
  thief = fixture.agent(coordinator, "node-thief");
  await thief.hello({ slots: 0 });
});
afterAll(() => fixture.close());

const inRegistry = (host: string) => `${host}/${newId(1)}/prover@sha256:${"0".repeat(64)}`;
const hello = {
  inventory: Inventory.fromPartial({
    cpuCores: 4,
    memoryBytes: 2n ** 34n,
    slots: 4,
    containerEngine: { name: "docker", version: "1" },
  }),
};

test("a node gets the right to pull the image of its assignment until that ends, and nobody else does", async () => {
  const image = inRegistry("127.0.0.1:1");
  const { agent, assignmentId } = await readyAgent(fixture, coordinator, {
    nodeId: "n1",
    hello,
    deployment: { image },
  });
  const { token, repository, expiresInSeconds } = await agent.pullToken(assignmentId);
  expect(readPullGrant(fixture.secrets, token, Date.now())).toBe(assignmentId);
  expect(repository).toBe(image.slice(0, image.indexOf("@")));
  expect(expiresInSeconds).toBeGreaterThan(3600);

  await expect(thief.pullToken(assignmentId)).rejects.toMatchObject(NOT_FOUND);
  for (const id of ["", "x", newId(9), `${assignmentId}/`]) {
    await expect(agent.pullToken(id)).rejects.toMatchObject(NOT_FOUND);
  }
  const standing = await coordinator.store.get("assignments", assignmentId);
  await coordinator.store.commit(standing === null ? [] : [remove("assignments", standing)]);
  await expect(agent.pullToken(assignmentId)).rejects.toMatchObject(NOT_FOUND);
});

test("an image of another registry takes no right of ours", async () => {
  const image = inRegistry("ghcr.io");
  const { agent, assignmentId } = await readyAgent(fixture, coordinator, {
    nodeId: "n2",
    hello,
    deployment: { image },
  });
  expect(await agent.pullToken(assignmentId)).toEqual({ token: "", expiresInSeconds: 0, repository: "" });
});
