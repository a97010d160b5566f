import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, expect, test } from "vitest";
import { announce, type CoordinatorFacts, readCoordinators } from "./coordinators.ts";
import { LEADER_KEY, WEBHOOK_SENDER_KEY } from "./keys.ts";
import { campaign, type Leadership } from "./leadership.ts";
import { Memory } from "./memory/memory.ts";
import { type MemoryKv, memoryKv } from "./memory/memory-kv.ts";

const log = createLog({ name: "test", level: "silent" });
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A clock that jumps on demand and else follows the machine's. */
function jumpingClock() {
  let aheadMs = 0;
  return {
    now: () => systemClock.now() + aheadMs,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    jump: (ms: number) => {
      aheadMs += ms;
    },
  };
}

function stand(memory: Memory, coordinatorId: string): { kv: MemoryKv; leadership: Leadership } {
  const kv = memoryKv(memory);
  const leadership = campaign({ kv, coordinatorId, clock: memory.clock, log });
  ends.push(
    () => kv.close(),
    () => leadership.stop(),
  );
  return { kv, leadership };
}

test("one of two leads, and its epoch is the revision of the leader's key", async () => {
  const memory = new Memory();
  const { leadership: a, kv } = stand(memory, "a");
  const { leadership: b } = stand(memory, "b");
  await expect.poll(() => [a.epoch(), b.epoch()].filter((epoch) => epoch !== null)).toHaveLength(1);
  const { entries } = await kv.read([LEADER_KEY]);
  expect(a.epoch() ?? b.epoch()).toBe(entries[0]?.revision);
});

test("a leader that stops hands over at once, to a higher epoch", async () => {
  const memory = new Memory();
  const { leadership: a } = stand(memory, "a");
  await expect.poll(() => a.epoch()).not.toBeNull();
  const first = a.epoch() ?? 0;
  const { leadership: b } = stand(memory, "b");
  await a.stop();
  expect(a.epoch()).toBeNull();
  await expect.poll(() => b.epoch(), { timeout: 3000 }).toBeGreaterThan(first);
});

test("a leader that cannot renew knows at once that its lease is over, and another takes over", async () => {
  const clock = jumpingClock();
  const memory = new Memory(clock);
  const { leadership: a, kv } = stand(memory, "a");
  await expect.poll(() => a.epoch()).not.toBeNull();
  const { leadership: b } = stand(memory, "b");
  const epochs: (number | null)[] = [];
  a.subscribe(() => epochs.push(a.epoch()));
  kv.faults.away = true;
  clock.jump(5001);
  expect(a.epoch()).toBeNull();
  await expect.poll(() => b.epoch(), { timeout: 5000 }).not.toBeNull();
  await expect.poll(() => epochs, { timeout: 3000 }).toEqual([null]);
});

test("a leader whose key was taken away notices and stands again", async () => {
  const memory = new Memory();
  const { leadership, kv } = stand(memory, "a");
  await expect.poll(() => leadership.epoch()).not.toBeNull();
  const first = leadership.epoch() ?? 0;
  await kv.txn({ compares: [], puts: [], deletes: [LEADER_KEY] });
  await expect.poll(() => leadership.epoch(), { timeout: 5000 }).toBeGreaterThan(first);
});

test("a leader of a store that is another resigns at once, and does not stand again", async () => {
  const { leadership, kv } = stand(new Memory(), "a");
  await expect.poll(() => leadership.epoch()).not.toBeNull();
  const reported: (number | null)[] = [];
  leadership.subscribe(() => reported.push(leadership.epoch()));
  kv.faults.change();
  expect(leadership.epoch()).toBeNull();
  await expect.poll(() => reported, { timeout: 3000 }).toEqual([null]);
});

test("a leader that no longer can leads no longer from that moment, and again once it can", async () => {
  const memory = new Memory();
  const kv = memoryKv(memory);
  let can = true;
  const leadership = campaign({ kv, coordinatorId: "a", clock: memory.clock, canLead: () => can, log });
  ends.push(
    () => kv.close(),
    () => leadership.stop(),
  );
  await expect.poll(() => leadership.epoch()).not.toBeNull();
  const first = leadership.epoch() ?? 0;
  can = false;
  expect(leadership.epoch()).toBeNull();
  const { leadership: other } = stand(memory, "b");
  await expect.poll(() => other.epoch(), { timeout: 3000 }).toBeGreaterThan(first);
  await other.stop();
  can = true;
  await expect.poll(() => leadership.epoch(), { timeout: 3000 }).toBeGreaterThan(first);
});

test("a candidate whose response was lost finds out that it leads", async () => {
  const memory = new Memory();
  const kv = memoryKv(memory);
  kv.faults.lostAnswers.push("lost after it was applied");
  const leadership = campaign({ kv, coordinatorId: "a", clock: memory.clock, log });
  ends.push(
    () => kv.close(),
    () => leadership.stop(),
  );
  await expect.poll(() => leadership.epoch()).not.toBeNull();
});

function factsOf(id: string): CoordinatorFacts {
  return { id, grpcAddress: `127.0.0.1:${id}`, version: "1", roles: ["http"], startedAt: Number(id) };
}

test("coordinators see one another, and no longer once one has stopped or lost its lease", async () => {
  const clock = jumpingClock();
  const memory = new Memory(clock);
  const enter = async (id: string) => {
    const kv = memoryKv(memory);
    const announcement = await announce({ kv, facts: factsOf(id), log });
    ends.push(
      () => kv.close(),
      () => announcement.stop(),
    );
    return { kv, announcement };
  };
  const one = await enter("1");
  const two = await enter("2");
  const three = await enter("3");
  const seen = () => one.announcement.addresses();
  await expect.poll(seen, { timeout: 3000 }).toEqual(["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"]);
  expect(await readCoordinators(one.kv)).toEqual({ living: ["1", "2", "3"].map(factsOf), leader: null });
  await two.announcement.stop();
  await expect.poll(seen, { timeout: 3000 }).toEqual(["127.0.0.1:1", "127.0.0.1:3"]);
  three.kv.faults.away = true;
  clock.jump(10_001);
  await expect.poll(seen, { timeout: 3000 }).toEqual(["127.0.0.1:1"]);
  three.kv.faults.away = false;
  await expect.poll(seen, { timeout: 5000 }).toEqual(["127.0.0.1:1", "127.0.0.1:3"]);
});

test("what is led apart is won and lost apart", async () => {
  const memory = new Memory();
  const { kv, leadership } = stand(memory, "a");
  const other = campaign({ kv, coordinatorId: "b", key: WEBHOOK_SENDER_KEY, clock: memory.clock, log });
  ends.push(() => other.stop());
  await expect.poll(() => [leadership.epoch(), other.epoch()]).toEqual([expect.any(Number), expect.any(Number)]);
  await leadership.stop();
  expect([leadership.epoch(), other.epoch()]).toEqual([null, expect.any(Number)]);
});

test("does not stand while it may not lead, and resigns to another once it may no longer", async () => {
  const memory = new Memory();
  let mayLead = false;
  const kv = memoryKv(memory);
  const a = campaign({ kv, coordinatorId: "a", clock: memory.clock, mayLead: () => mayLead, log });
  ends.push(
    () => kv.close(),
    () => a.stop(),
  );
  const { leadership: b } = stand(memory, "b");
  await expect.poll(() => b.epoch()).not.toBeNull();
  mayLead = true;
  await b.stop();
  await expect.poll(() => a.epoch(), { timeout: 3000 }).not.toBeNull();
  mayLead = false;
  await expect.poll(() => a.epoch(), { timeout: 3000 }).toBeNull();
  const { leadership: c } = stand(memory, "c");
  await expect.poll(() => c.epoch(), { timeout: 3000 }).not.toBeNull();
});
