import type { AttemptProgress } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { PROGRESSES_A_MESSAGE_MAX } from "@elastic/proto/message-limits.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startOf } from "../testing/orders.ts";
import { progressReports } from "./progress-reports.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reports() {
  const sent: string[][] = [];
  const text = ({ fraction, message }: AttemptProgress) => `${fraction} ${message}`;
  const clock = { now: () => Date.now(), monotonicMs: () => Date.now() };
  return { sent, ...progressReports({ send: (progresses) => void sent.push(progresses.map(text)), clock }) };
}

function attemptOf() {
  const { attempt } = startOf("{}");
  if (attempt === undefined) throw new Error("a start names its attempt");
  return attempt;
}

test("sends the first progress at once, then the newest of each attempt once a second, in one message", () => {
  const { sent, report } = reports();
  const [one, two] = [attemptOf(), attemptOf()];
  report(one, { fraction: 0.1, message: "a" });
  vi.advanceTimersByTime(1);
  report(one, { fraction: 0.2, message: "b" });
  report(one, { fraction: 0.3, message: "c" });
  report(two, { fraction: 0.5, message: "" });
  vi.advanceTimersByTime(998);
  expect(sent).toEqual([["0.1 a"]]);
  vi.advanceTimersByTime(2);
  expect(sent).toEqual([["0.1 a"], ["0.3 c", "0.5 "]]);
});

test("sends neither unchanged progress nor that of ended attempts", () => {
  const { sent, report, forget } = reports();
  const attempt = attemptOf();
  report(attempt, { fraction: 0.1, message: "a" });
  vi.advanceTimersByTime(5_000);
  report(attempt, { fraction: 0.1, message: "a" });
  vi.advanceTimersByTime(5_000);
  report(attempt, { fraction: 0.2, message: "a" });
  forget(attempt);
  vi.advanceTimersByTime(5_000);
  expect(sent).toEqual([["0.1 a"]]);
});

test("sends what a coordinator missed when it is linked again", () => {
  const { sent, report, onLinked } = reports();
  onLinked();
  const attempt = attemptOf();
  report(attempt, { fraction: 0.1, message: "a" });
  vi.advanceTimersByTime(5_000);
  onLinked();
  vi.advanceTimersByTime(5_000);
  expect(sent).toEqual([["0.1 a"], ["0.1 a"]]);
});

test("no message holds more than a coordinator takes, and none is left out", () => {
  const { sent, report, onLinked } = reports();
  const attempts = Array.from({ length: 2 * PROGRESSES_A_MESSAGE_MAX + 1 }, attemptOf);
  for (const attempt of attempts) report(attempt, { fraction: 0.1, message: "" });
  vi.advanceTimersByTime(1);
  sent.length = 0;
  onLinked();
  vi.advanceTimersByTime(5_000);
  expect(sent.map((each) => each.length)).toEqual([PROGRESSES_A_MESSAGE_MAX, PROGRESSES_A_MESSAGE_MAX, 1]);
});
