import { newId } from "@elastic/std/ids.ts";
import { describe, expect, test } from "vitest";
import { type Observed, type SimulatedService, Simulation } from "../testing/simulation.ts";

const [A, B, C] = [newId(1), newId(2), newId(3)];
const HOUR_S = 3_600;

/** A team that always has more to do than there is room for, from a second on. */
function greedy(teamId: string, from = 0, given: Partial<SimulatedService> = {}): SimulatedService {
  const scaling = { min: 0, max: 16, idleTimeoutMs: 1e9 };
  return {
    teamId,
    runMs: 5_000,
    scaling,
    arrivals: (second, waiting) => (second >= from && waiting < 40 ? 20 : 0),
    ...given,
  };
}

function run(slots: number, seconds: number, ...services: readonly SimulatedService[]): readonly Observed[] {
  return new Simulation({ slots, startMs: 3_000, services }).run(seconds);
}

const mean = (of: readonly number[]) => of.reduce((sum, n) => sum + n, 0) / of.length;
/** The longest time without any copy after it first had one, in seconds. */
function longestWithout({ copies }: Observed): number {
  let [longest, current] = [0, 0];
  for (const n of copies.slice(copies.findIndex((count) => count > 0))) {
    current = n === 0 ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

describe("teams that want more than there is", () => {
  test("and come at once have the same share from the start, however many services each has", () => {
    const [one, ...rest] = run(8, 600, greedy(A), greedy(B), greedy(B), greedy(B));
    expect(one?.copies[0]).toBe(4);
    expect(mean(one?.copies ?? [])).toBeCloseTo(4, 0);
    expect(rest.map(({ copies }) => mean(copies) > 0.7)).toEqual([true, true, true]);
  });

  test("one that comes later is served within minutes, and what is running is not cut off", () => {
    const [first, second] = run(8, 1_200, greedy(A), greedy(B, 600));
    expect(first?.copies[599]).toBe(8);
    const got = (second?.copies ?? []).findIndex((count) => count > 0);
    expect(got).toBeGreaterThanOrEqual(600);
    expect(got).toBeLessThan(620);
    // All that was started has ended: nothing ran less than it takes.
    expect(first?.ranMs).toBe((first?.waitsMs.length ?? 0) * 5_000);
  });

  test("one that used the fleet alone for an hour gives way, but keeps coming to its turn", () => {
    const [first, second] = run(8, 2 * HOUR_S, greedy(A), greedy(B, HOUR_S));
    const after = (of: Observed | undefined) => of?.copies.slice(HOUR_S + 60) ?? [];
    expect(mean(after(second))).toBeGreaterThan(mean(after(first)));
    expect(longestWithout(first as Observed)).toBeLessThan(360);
  });

  test("share a single slot by turns of some minutes at most", () => {
    const observed = run(1, HOUR_S, greedy(A), greedy(B), greedy(C));
    for (const one of observed) {
      expect(longestWithout(one)).toBeLessThan(360);
      expect(mean(one.copies)).toBeGreaterThan(0.2);
      // Turns, not a start for each task.
      expect(one.starts).toBeLessThan(30);
    }
  });

  test("do not take from each other what is shared evenly", () => {
    const observed = run(8, HOUR_S, greedy(A), greedy(B));
    for (const one of observed) {
      expect(mean(one.copies)).toBeCloseTo(4, 0);
      expect(one.starts).toBeLessThan(12);
    }
  });
});

test("a minimum without work gives way to another team's tasks, and does not take them away in turn", () => {
  const scaling = { min: 1, max: 1, idleTimeoutMs: 1e9 };
  const idle = greedy(A, 0, { scaling, arrivals: () => 0 });
  const [kept, busy] = run(1, 1_200, idle, greedy(B, 300));
  expect(kept?.copies[299]).toBe(1);
  expect(busy?.copies.slice(310).every((count) => count === 1)).toBe(true);
});

test("minimums without work are not handed to and fro", () => {
  const scaling = { min: 1, max: 1, idleTimeoutMs: 1e9 };
  const idle = (team: string) => greedy(team, 0, { scaling, arrivals: () => 0 });
  const observed = run(1, HOUR_S, idle(A), idle(B));
  expect(observed.map(({ starts }) => starts).sort()).toEqual([0, 1]);
});

describe("a team alone", () => {
  test("has all there is, for whichever of its services came first, but that none goes without", () => {
    const [first, second] = run(8, 1_200, greedy(A), greedy(A, 300));
    expect(first?.copies[299]).toBe(8);
    expect((second?.copies ?? []).findIndex((count) => count > 0)).toBeLessThan(300 + 90);
    expect(first?.copies.at(-1)).toBe(7);
    expect([first?.starts, second?.starts]).toEqual([8, 1]);
  });

  test("serves the tasks that are due first where two of its services share a slot", () => {
    for (const one of run(1, HOUR_S, greedy(A), greedy(A))) {
      expect(longestWithout(one)).toBeLessThan(900);
      expect(mean(one.copies)).toBeGreaterThan(0.3);
    }
  });
});
