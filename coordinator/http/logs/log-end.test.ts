import { expect, test } from "vitest";
import { FIRST_WITHIN_MS, isOver, type LogFacts, REST_WITHIN_MS } from "./log-end.ts";

const LONG = 10 * REST_WITHIN_MS;
const ENDED = 1_000_000;

function over(reason: "gpu_fault" | "node_lost" | null, facts: Partial<LogFacts> = {}): boolean {
  const span = { nodeId: "n", over: { at: ENDED, reason } };
  return isOver({ span, state: { bytes: 5, complete: false }, now: ENDED, upMs: LONG, ...facts });
}

test("a log is not over while its attempt runs, whatever is there of it", () => {
  const span = { nodeId: "n", over: null };
  expect(isOver({ span, state: { bytes: 1, complete: true }, now: ENDED + LONG, upMs: LONG })).toBe(false);
});

test("a complete log is over with its attempt, and one of a lost node at once", () => {
  expect(over(null, { state: { bytes: 5, complete: true } })).toBe(true);
  expect(over("node_lost")).toBe(true);
  expect(over("gpu_fault")).toBe(false);
});

test("the rest of a log is waited for as long as an agent needs to come back", () => {
  expect(over(null, { now: ENDED + REST_WITHIN_MS })).toBe(false);
  expect(over(null, { now: ENDED + REST_WITHIN_MS + 1 })).toBe(true);
});

test("a log of which nothing came is waited for a moment only, and longer by a process that has just begun", () => {
  expect(over(null, { state: null, now: ENDED + FIRST_WITHIN_MS })).toBe(false);
  expect(over(null, { state: null, now: ENDED + FIRST_WITHIN_MS + 1 })).toBe(true);
  expect(over(null, { state: null, now: ENDED + FIRST_WITHIN_MS + 1, upMs: 100 })).toBe(false);
});
