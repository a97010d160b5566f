import { createHash } from "node:crypto";
import { newId } from "@elastic/std/ids.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TEAM } from "../domain/testing/records.ts";
import { manifestText } from "../domain/volume.ts";
import { remove } from "../store/change.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { type Coordinator, deployService, FleetFixture } from "./testing/fleet-fixture.ts";

const NOT_FOUND = { code: status.NOT_FOUND };

let fixture: FleetFixture;
let coordinator: Coordinator;
let agent: FakeAgent;
let thief: FakeAgent;
let assignmentId: string;
let file: Kept;
let list: Kept;
let result: Kept;

interface Kept {
  readonly data: Buffer;
  readonly sha256: string;
}

beforeAll(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
  agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  thief = fixture.agent(coordinator, "node-thief");
  await thief.hello({ slots: 0 });
  file = await keep(Buffer.alloc(3 << 20, "proving key"));
  result = await keep(Buffer.from("a task's result"));
  const { sha256, data } = file;
  list = await keep(Buffer.from(manifestText([{ path: "srs/k20", sha256, bytes: data.length }])));
  const volume = { id: newId(1), manifestSha256: list.sha256, manifestBytes: list.data.length };
  await deployService(coordinator.store, { volume, verifierImage: "builtin:echo" });
  const [assignment] = await agent.bringUp(1);
  assignmentId = assignment?.assignmentId ?? "";
  expect(assignment?.workload?.value).toMatchObject({
    verifierImage: "builtin:echo",
    volume: { volumeId: volume.id, manifestSha256: list.sha256, manifestBytes: BigInt(list.data.length) },
  });
});
afterAll(() => fixture.close());

async function keep(data: Buffer): Promise<Kept> {
  await fixture.blobs.put(TEAM, [data] as never, { bytesMax: data.length });
  return { data, sha256: createHash("sha256").update(data).digest("hex") };
}

test("the list and each file of it are sent completely, and from any offset", async () => {
  expect(await agent.bulk.fetchVolumeFile(assignmentId, list.sha256)).toEqual(list.data);
  expect(await agent.bulk.fetchVolumeFile(assignmentId, file.sha256)).toEqual(file.data);
  expect(await agent.bulk.fetchVolumeFile(assignmentId, file.sha256, 2_000_000)).toEqual(file.data.subarray(2_000_000));
  expect(await agent.bulk.fetchVolumeFile(assignmentId, file.sha256, file.data.length)).toHaveLength(0);
  const beyond = agent.bulk.fetchVolumeFile(assignmentId, file.sha256, file.data.length + 1);
  await expect(beyond).rejects.toMatchObject({ code: status.OUT_OF_RANGE });
});

test("no other blob of the team comes, whatever digest is named", async () => {
  for (const sha256 of [result.sha256, "0".repeat(64), "../../x", ""]) {
    await expect(agent.bulk.fetchVolumeFile(assignmentId, sha256)).rejects.toMatchObject(NOT_FOUND);
  }
});

test("another node's assignment gives nothing, nor does one that does not exist", async () => {
  await expect(thief.bulk.fetchVolumeFile(assignmentId, file.sha256)).rejects.toMatchObject(NOT_FOUND);
  for (const id of [newId(1), "x", ""]) {
    await expect(agent.bulk.fetchVolumeFile(id, file.sha256)).rejects.toMatchObject(NOT_FOUND);
  }
  const nameless = fixture.agent(coordinator, "-no-name-");
  await expect(nameless.bulk.fetchVolumeFile(assignmentId, file.sha256)).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
  });
});

test("once the assignment has ended nothing comes any more", async () => {
  const assignment = await coordinator.store.get("assignments", assignmentId);
  if (assignment === null) throw new Error("no assignment");
  await coordinator.store.commit([remove("assignments", assignment)]);
  await expect(agent.bulk.fetchVolumeFile(assignmentId, file.sha256)).rejects.toMatchObject(NOT_FOUND);
});
