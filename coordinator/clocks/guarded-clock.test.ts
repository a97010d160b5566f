import fc from "fast-check";
import { expect, test } from "vitest";
import { GuardedClock } from "./guarded-clock.ts";

const DAY_MS = 86_400_000;
const START = 1_800_000_000_000;

/** A machine whose wall clock and time the test moves. */
function machine() {
  let wallAheadMs = START;
  let nowMs = 1_000;
  const clock = new GuardedClock({ now: () => nowMs + wallAheadMs, monotonicMs: () => nowMs });
  return {
    clock,
    passes: (ms: number) => {
      nowMs += ms;
    },
    steps: (ms: number) => {
      wallAheadMs += ms;
    },
  };
}

test("continues through steps of the machine's clock, and shows by how much that is ahead", () => {
  const { clock, passes, steps } = machine();
  const before = clock.now();
  steps(DAY_MS);
  passes(5_000);
  expect(clock.now() - before).toBe(5_000);
  expect(clock.machineAheadMs()).toBe(DAY_MS);
  steps(-3 * DAY_MS);
  expect(clock.now() - before).toBe(5_000);
});

test("what was stamped before it was set ahead is as old as it was, and what is stamped later as it is", () => {
  const { clock, passes } = machine();
  const before = clock.now();
  passes(60_000);
  clock.set(DAY_MS);
  const after = clock.now();
  passes(10_000);
  expect(clock.now() - after).toBe(10_000);
  expect(clock.nowFor(before) - before).toBe(70_000);
  expect(clock.nowFor(after) - after).toBe(10_000);
  // Of a coordinator whose clock had been right.
  expect(clock.nowFor(after - 30_000) - (after - 30_000)).toBe(10_000);
  expect(clock.forForgetting().now() - before).toBe(70_000);
});

test("notifies of being set back only, and counts the time it had jumped over", () => {
  const { clock, passes } = machine();
  let setBack = 0;
  const stop = clock.onSetBack(() => {
    setBack += 1;
  });
  const before = clock.now();
  clock.set(DAY_MS);
  expect(setBack).toBe(0);
  clock.set(-DAY_MS);
  expect([setBack, clock.now()]).toEqual([1, before]);
  passes(2 * DAY_MS);
  expect(clock.nowFor(before) - before).toBe(2 * DAY_MS);
  stop();
  clock.set(-DAY_MS);
  expect(setBack).toBe(1);
});

test("nothing that it stamped is ever older than the time that passed", () => {
  const event = fc.oneof(
    fc.record({ passes: fc.integer({ min: 0, max: DAY_MS }) }),
    fc.record({ steps: fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }) }),
    fc.record({ ahead: fc.integer({ min: 0, max: 2 * DAY_MS }) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const { clock, passes, steps } = machine();
      const stamps: { readonly at: number; readonly monotonicMs: number }[] = [];
      for (const one of events) {
        stamps.push({ at: clock.now(), monotonicMs: clock.monotonicMs() });
        if ("passes" in one) passes(one.passes);
        else if ("steps" in one) steps(one.steps);
        else clock.set(one.ahead);
        for (const { at, monotonicMs } of stamps) {
          expect(clock.nowFor(at) - at).toBeLessThanOrEqual(clock.monotonicMs() - monotonicMs);
        }
      }
    }),
  );
});

test("takes no pause of the process between two reads for a step", () => {
  let nowMs = 0;
  let pauseMs = 0;
  const machine = {
    now: () => {
      const wallMs = START + nowMs;
      nowMs += pauseMs;
      pauseMs = 0;
      return wallMs;
    },
    monotonicMs: () => nowMs,
  };
  const clock = new GuardedClock(machine);
  pauseMs = 30_000;
  expect(clock.machineAheadMs()).toBe(0);
});

test("doubts what it finds for as long as it was not compared", () => {
  const { clock, passes } = machine();
  expect(clock.leastRemainingMs()).toBe(0);
  clock.doubtFor(15_000);
  passes(5_000);
  expect(clock.leastRemainingMs()).toBe(10_000);
  clock.trust();
  expect(clock.leastRemainingMs()).toBe(0);
});
