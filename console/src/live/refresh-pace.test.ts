import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { REFRESH_EVERY_MS, RefreshPace } from "./refresh-pace.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("refreshes at once for the first changes, then every five seconds, and once more after the last", () => {
  const pace = new RefreshPace();
  const at: number[] = [];
  const started = performance.now();
  for (let second = 0; second < 20; second++) {
    pace.request("list", 1, () => at.push(Math.round((performance.now() - started) / 1000)));
    vi.advanceTimersByTime(1_000);
  }
  vi.advanceTimersByTime(60_000);
  expect(at.slice(0, 3)).toEqual([0, 1, 2]);
  for (const [index, second] of at.slice(3).entries()) {
    expect(second - (at[index + 2] ?? 0)).toBeGreaterThanOrEqual(2);
  }
  expect(at.length).toBeLessThanOrEqual(3 + (20_000 + 2 * REFRESH_EVERY_MS) / REFRESH_EVERY_MS);
  expect(at.at(-1)).toBeGreaterThanOrEqual(19);
});

test("paces each name apart, and does nothing more once it is stopped", () => {
  const pace = new RefreshPace();
  const done: string[] = [];
  for (let n = 0; n < 5; n++) for (const name of ["a", "b"]) pace.request(name, 1, () => done.push(name));
  expect(done.sort()).toEqual(["a", "a", "a", "b", "b", "b"]);
  pace.stop();
  vi.advanceTimersByTime(60_000);
  expect(done).toHaveLength(6);
});

test("reads a list of many pages more rarely, in proportion to its requests", () => {
  const pace = new RefreshPace();
  const at: number[] = [];
  const started = performance.now();
  for (let second = 0; second < 600; second++) {
    pace.request("list", 200, () => at.push(performance.now() - started));
    vi.advanceTimersByTime(1_000);
  }
  expect(at.length).toBeGreaterThanOrEqual(5);
  for (const [index, ms] of at.slice(1).entries()) {
    expect(ms - (at[index] ?? 0)).toBeGreaterThanOrEqual(20 * REFRESH_EVERY_MS - 1_000);
  }
});
