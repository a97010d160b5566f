import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { META_KEY } from "../store/keys.ts";
import { type Coordinator, createTask, FleetFixture, readyAgent } from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;

beforeEach(async () => {
  fixture = await FleetFixture.open();
});
afterEach(() => fixture.close());

/** As after a restore. */
async function secondEpoch(first: Coordinator): Promise<Coordinator> {
  const meta = { epoch: 2, blobStoreId: first.store.blobStoreId, schemaVersion: 1 };
  await first.kv.txn({
    compares: [],
    puts: [{ key: META_KEY, value: Buffer.from(JSON.stringify(meta)) }],
    deletes: [],
  });
  await first.stop();
  return await fixture.coordinator();
}

const refOf = (taskId: string, storeEpoch: bigint) => ({ taskId, number: 1, token: { storeEpoch, revision: 7n } });

test("lists tasks of an earlier epoch that the store does not know, once, and acknowledges them", async () => {
  const first = await fixture.coordinator();
  const { service } = await readyAgent(fixture, first);
  const known = await createTask(first.store, service);
  const second = await secondEpoch(first);
  const [open, ended, current] = [newId(1), newId(2), newId(3)];
  const agent = fixture.agent(second, "node-a");
  const welcome = await agent.hello({ attempts: [refOf(open, 1n), refOf(known.id, 1n), refOf(current, 2n)] });
  expect(welcome.storeEpoch).toBe(2n);
  const attempts = [refOf(ended, 1n), refOf(known.id, 1n), refOf(open, 1n)];
  agent.send({ $case: "endedAttempts", value: { attempts } });
  expect((await agent.next("endedAttemptsAck")).attempts).toEqual(attempts);
  const listed = () =>
    [...second.store.view.lostTasks.values()].map(({ value }) => [value.id, value.from, value.nodeId]).sort();
  await expect.poll(listed).toEqual([
    [open, "open", "node-a"],
    [ended, "ended", "node-a"],
  ]);
  expect(await second.metrics.registry.metrics()).toMatch(/^elastic_lost_tasks_total 2$/m);
});
