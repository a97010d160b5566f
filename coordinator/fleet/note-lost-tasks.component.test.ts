import { newId } from "@elastic/std/ids.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aNode } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { META_KEY } from "../store/keys.ts";
import { type Coordinator, createTask, FleetFixture, readyAgent } from "./testing/fleet-fixture.ts";

let fixture: FleetFixture;

beforeEach(async () => {
  fixture = await FleetFixture.open();
});
afterEach(() => fixture.close());

/** As after a restore. */
async function secondEpoch(first: Coordinator, log?: Logger): Promise<Coordinator> {
  const meta = { epoch: 2, blobStoreId: first.store.blobStoreId, schemaVersion: 1 };
  await first.kv.txn({
    compares: [],
    puts: [{ key: META_KEY, value: Buffer.from(JSON.stringify(meta)) }],
    deletes: [],
  });
  await first.stop();
  return await fixture.coordinator(log === undefined ? {} : { log });
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

test("lists of one node its share alone, counts and logs the rest in one line, and has room for another node's", async () => {
  const first = await fixture.coordinator();
  await readyAgent(fixture, first);
  const lines: { msg: string }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const second = await secondEpoch(first, log);
  const { store } = second;
  // Ten nodes: a share is a thousand.
  await store.commit(Array.from({ length: 8 }, (_, index) => create("nodes", aNode(`node-${index}`))));
  const [bad, other] = [fixture.agent(second, "node-bad"), fixture.agent(second, "node-other")];
  await bad.hello();
  const madeUp = Array.from({ length: 1_500 }, (_, index) => refOf(newId(index), 1n));
  for (let times = 0; times < 2; times++) {
    for (const at of [0, 500, 1_000]) {
      bad.send({ $case: "endedAttempts", value: { attempts: madeUp.slice(at, at + 500) } });
    }
    for (let acks = 0; acks < 3; acks++) await bad.next("endedAttemptsAck");
  }
  const listedBy = (nodeId: string) =>
    [...store.view.lostTasks.values()].filter(({ value }) => value.nodeId === nodeId);
  expect(listedBy("node-bad")).toHaveLength(1_000);
  expect(await second.metrics.registry.metrics()).toMatch(/^elastic_lost_tasks_total 1500$/m);
  expect(lines.filter(({ msg }) => msg.startsWith("an agent ran tasks"))).toMatchObject([{ nodeId: "node-bad" }]);
  await other.hello({ attempts: [refOf(newId(7), 1n)] });
  await expect.poll(() => listedBy("node-other")).toHaveLength(1);
});
