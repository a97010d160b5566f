import { pino } from "pino";
import { expect, test } from "vitest";
import { ClockKeeper } from "./clock-keeper.ts";
import { GuardedClock } from "./guarded-clock.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;

/** A coordinator whose machine's clock is ahead of the right time by so much. */
function coordinator(aheadMs = 0) {
  let offMs = aheadMs;
  let nowMs = 1_000;
  const machine = { now: () => START + nowMs + offMs, monotonicMs: () => nowMs };
  const clock = new GuardedClock(machine);
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const keeper = new ClockKeeper({ clock, log });
  return {
    clock,
    keeper,
    /** So many agents whose clocks are ahead by that report, and a second passes. */
    turn: (...agents: readonly number[]) => {
      nowMs += 1_000;
      agents.forEach((aheadMs, n) => {
        keeper.noteNode(`node-${n}`, { wallMs: START + nowMs + aheadMs, atMs: nowMs, errorMs: 2 });
      });
      keeper.compare();
    },
    passes: (ms: number) => {
      nowMs += ms;
    },
    steps: (ms: number) => {
      offMs += ms;
    },
    /** By how much the coordinator's time is ahead of the right one. */
    wrongBy: () => clock.now() - (START + nowMs),
    errors: () => lines.filter(({ level }) => level >= 50).map(({ msg }) => msg),
  };
}

test("a coordinator whose clock is two days off goes by the others' from the first comparison, and says so once", () => {
  const { keeper, turn, wrongBy, errors } = coordinator(2 * DAY_MS);
  turn(0, 10);
  expect(Math.abs(wrongBy())).toBeLessThan(1_000);
  turn(0, 10);
  expect(keeper.verdict).toMatchObject({ standing: "off", known: 3, agreeing: 2 });
  expect(keeper.mayForget()).toBe(false);
  expect(errors()).toEqual([expect.stringMatching(/172800.0 s ahead of most of the 3 known clocks/)]);
});

test("a step of its machine's clock alone changes its time at no moment", () => {
  const { keeper, turn, steps, wrongBy } = coordinator();
  turn(0, 10);
  for (const step of [DAY_MS, -2 * DAY_MS]) {
    steps(step);
    expect(wrongBy()).toBe(0);
    turn(0, 10);
    expect([keeper.verdict.standing, wrongBy()]).toEqual(["off", 0]);
  }
  steps(DAY_MS);
  turn(0, 10);
  expect([keeper.verdict.standing, wrongBy(), keeper.complaint()]).toEqual(["agrees", 0, null]);
});

test("without a majority, and where no other clock is known, it continues with its time and forgets nothing", () => {
  for (const agents of [[0], []]) {
    const { keeper, turn, steps, wrongBy, errors } = coordinator();
    turn(...agents);
    expect(keeper.mayForget()).toBe(true);
    steps(DAY_MS);
    turn(...agents);
    expect([keeper.verdict.standing, wrongBy(), keeper.mayForget()]).toEqual(["no_majority", 0, false]);
    expect(errors()).toEqual([expect.stringMatching(/continues with the time it had, and removes nothing/)]);
  }
});

test("follows where most clocks were set together, makes nothing older by it, and forgets nothing for two hours", () => {
  const { clock, keeper, turn, passes, steps, wrongBy } = coordinator();
  turn(0, 0);
  const before = clock.now();
  steps(DAY_MS);
  turn(DAY_MS, DAY_MS);
  expect([keeper.verdict.standing, wrongBy()]).toEqual(["agrees", DAY_MS]);
  expect(clock.nowFor(before) - before).toBe(1_000);
  expect(clock.forForgetting().now() - before).toBe(1_000);
  passes(HOUR_MS);
  turn(DAY_MS, DAY_MS);
  expect(keeper.mayForget()).toBe(false);
  passes(2 * HOUR_MS);
  turn(DAY_MS, DAY_MS);
  expect(keeper.mayForget()).toBe(true);
});

test("a clock that was not read for a minute no longer counts", () => {
  const { keeper, turn, passes } = coordinator();
  turn(0, 0, 0);
  expect(keeper.verdict.known).toBe(4);
  passes(61_000);
  turn();
  expect(keeper.verdict).toMatchObject({ standing: "alone", known: 1 });
});
