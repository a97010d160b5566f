import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, expect, test } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { GuardedClock } from "./guarded-clock.ts";
import { type Clocks, startClocks } from "./start-clocks.ts";

const DAY_MS = 86_400_000;
const POLL = { timeout: 5_000, interval: 20 };

const log = createLog({ name: "test", level: "silent" });
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Started extends Clocks {
  readonly clock: GuardedClock;
  readonly kv: ReturnType<typeof memoryKv>;
}

async function start(memory: Memory, id: string, aheadMs = 0, isCandidate = true): Promise<Started> {
  const kv = memoryKv(memory);
  const machine: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const clock = new GuardedClock(machine);
  const { loops } = createMetrics();
  const clocks = await startClocks({ kv, id, isCandidate, clock, machine, loops, log, everyMs: 50 });
  ends.push(
    () => kv.close(),
    () => clocks.stop(),
  );
  return { ...clocks, clock, kv };
}

/** Two machines whose clocks are right. */
function agentsReportTo({ keeper }: Clocks): void {
  for (const node of ["a", "b"]) {
    keeper.noteNode(node, { wallMs: systemClock.now(), atMs: systemClock.monotonicMs(), errorMs: 1 });
  }
}

const wrongBy = ({ clock }: Started): number => Math.abs(clock.now() - systemClock.now());

test("coordinators know each other's clocks within moments, and one that has ended no longer counts", async () => {
  const memory = new Memory();
  const [one, two] = [await start(memory, "one"), await start(memory, "two", 300)];
  await expect.poll(() => [one, two].map(({ keeper }) => keeper.verdict.standing), POLL).toEqual(["agrees", "agrees"]);
  const { offsetMs } = one.keeper.verdict;
  expect(Math.abs(offsetMs - -150)).toBeLessThan(100);
  await two.stop();
  await expect.poll(() => one.keeper.verdict, POLL).toMatchObject({ standing: "alone", known: 1 });
});

test("one whose clock is two days ahead goes by one that agrees with the agents before it serves", async () => {
  const memory = new Memory();
  const one = await start(memory, "one");
  agentsReportTo(one);
  await expect.poll(() => one.keeper.verdict.standing, POLL).toBe("agrees");
  const two = await start(memory, "two", 2 * DAY_MS);
  expect(wrongBy(two)).toBeLessThan(1_000);
  agentsReportTo(two);
  await expect.poll(() => two.keeper.verdict.standing, POLL).toBe("off");
  expect(wrongBy(two)).toBeLessThan(1_000);
});

test("one that starts next to another goes by the other's time until a majority shows a third", async () => {
  const memory = new Memory();
  const one = await start(memory, "one", DAY_MS);
  const two = await start(memory, "two", 3 * DAY_MS);
  expect(Math.abs(two.clock.now() - one.clock.now())).toBeLessThan(1_000);
  agentsReportTo(two);
  agentsReportTo(one);
  await expect.poll(() => [two.keeper.verdict.standing, wrongBy(two) < 1_000], POLL).toEqual(["no_majority", false]);
  for (const { keeper } of [one, two]) {
    keeper.noteNode("c", { wallMs: systemClock.now(), atMs: systemClock.monotonicMs(), errorMs: 1 });
  }
  await expect.poll(() => [one, two].map((of) => wrongBy(of) < 1_000), POLL).toEqual([true, true]);
});

test("one that is off does not lead while another agrees that could, and leads where none does", async () => {
  const memory = new Memory();
  const two = await start(memory, "two", 2 * DAY_MS);
  agentsReportTo(two);
  await expect.poll(() => two.keeper.verdict.standing, POLL).toBe("off");
  expect(two.mayLead()).toBe(true);
  const gateway = await start(memory, "gateway", 0, false);
  agentsReportTo(gateway);
  const one = await start(memory, "one");
  agentsReportTo(one);
  await expect.poll(() => [one.mayLead(), two.mayLead()], POLL).toEqual([true, false]);
  await one.stop();
  await expect.poll(() => two.mayLead(), POLL).toBe(true);
  expect(gateway.keeper.verdict.standing).toBe("agrees");
});

test("continues over a broken watch, a lost lease, and a store that is full or away", async () => {
  const memory = new Memory();
  const [one, two] = [await start(memory, "one"), await start(memory, "two")];
  await expect.poll(() => one.keeper.verdict.known, POLL).toBe(2);
  one.kv.faults.breakWatches();
  one.kv.faults.full = true;
  await two.stop();
  await expect.poll(() => one.keeper.verdict.known, POLL).toBe(1);
  one.kv.faults.full = false;
  one.kv.faults.away = true;
  one.kv.faults.away = false;
  await start(memory, "three");
  await expect.poll(() => one.keeper.verdict.known, POLL).toBe(2);
});
