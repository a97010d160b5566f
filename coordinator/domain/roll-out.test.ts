import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeRecord, RECORD_BYTES_MAX } from "../store/codec.ts";
import {
  beginRollOut,
  hasEnded,
  ROLL_OUT_STAGES,
  type RollOutEvent,
  rollOutEvent,
  type StepFailure,
  wasReady,
  withEvents,
} from "./roll-out.ts";

const ID = "0".repeat(32);
const NEW = beginRollOut({ id: ID, serviceId: ID, teamId: ID }, { receivedAt: 10, resolvedAt: 20 }, null);
const FAILURE: StepFailure = { step: "checking", reason: "prover_error", message: "m", exitCode: 3, logTail: "log" };

const stages = (events: readonly RollOutEvent[]) => events.map(({ stage }) => stage);

test("it begins with the request and the digest", () => {
  expect(NEW.events.map(({ at, stage }) => [at, stage])).toEqual([
    [10, "received"],
    [20, "resolved"],
  ]);
});

test.each(["ready", "failed", "cancelled"] as const)("nothing comes after %s", (last) => {
  const ended = withEvents(NEW, [rollOutEvent(last, 30)]);
  expect([hasEnded(NEW), hasEnded(ended), wasReady(ended)]).toEqual([false, true, last === "ready"]);
  expect(withEvents(ended, [rollOutEvent("waiting", 40), rollOutEvent("ready", 50)])).toEqual(ended);
});

test("events never go back in time, however clocks step", () => {
  const { events } = withEvents(NEW, [rollOutEvent("placed", 5), rollOutEvent("ready", 4)]);
  expect(events.map(({ at }) => at)).toEqual([10, 20, 20, 20]);
});

test("what has happened keeps its place", () => {
  const one = withEvents(NEW, [rollOutEvent("placed", 30)]);
  expect(withEvents(one, [rollOutEvent("failed", 40, { failure: FAILURE })]).events.slice(0, 3)).toEqual(one.events);
});

test("the end is recorded even after more events than are retained", () => {
  const many = Array.from({ length: 100 }, (_, at) => rollOutEvent(at % 2 === 0 ? "waiting" : "placed", at));
  const { events } = withEvents(NEW, [...many, rollOutEvent("failed", 200, { failure: FAILURE })]);
  expect(events.length).toBeLessThan(100);
  expect(stages(events).at(-1)).toBe("failed");
});

test("its record stays within what the store takes, whatever nodes and provers say", () => {
  // What agents say has lost its control characters by then, but for those of text.
  const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "é", "証", "🙂"), maxLength: 6_000 });
  const failure = fc.record({ message: text, logTail: text });
  const event = fc.record({ stage: fc.constantFrom(...ROLL_OUT_STAGES.slice(0, -3)), note: text, failure });
  fc.assert(
    fc.property(fc.array(event, { minLength: 20, maxLength: 60 }), failure, (events, last) => {
      const drawn = events.map((given, at) =>
        rollOutEvent(given.stage, at, {
          assignmentId: ID,
          note: given.note,
          failure: given.stage === "retrying" ? { ...FAILURE, ...given.failure } : null,
        }),
      );
      const whole = withEvents(NEW, [...drawn, rollOutEvent("failed", 99, { failure: { ...FAILURE, ...last } })]);
      expect(stages(whole.events).at(-1)).toBe("failed");
      expect(encodeRecord("key", ID, whole).length).toBeLessThanOrEqual(RECORD_BYTES_MAX);
    }),
    { numRuns: 100 },
  );
});
