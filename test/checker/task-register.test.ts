import fc from "fast-check";
import { expect, test } from "vitest";
import type { Call } from "./history.ts";
import { linearize } from "./linearize.ts";
import { taskRegister } from "./task-register.ts";
import { hasOrder } from "./testing/every-order.ts";
import { CANCELLED, PENDING, SUCCESS } from "./testing/planted-lines.ts";

const SHOWN = [undefined, null, PENDING, PENDING, SUCCESS, CANCELLED] as const;

/** Few instants and outcomes, so that many histories have an order and many have none. */
const call = fc
  .tuple(
    fc.nat(12),
    fc.nat(6),
    fc.constantFrom("create", "get", "get", "cancel"),
    fc.constantFrom("ok", "ok", "ok", "fail", "info"),
    fc.nat(SHOWN.length - 1),
  )
  .map(([invokedAt, length, f, outcome, shown]): Call => {
    const task = f === "create" && shown === 1 ? undefined : SHOWN[shown];
    const returnedAt = outcome === "info" ? Number.POSITIVE_INFINITY : invokedAt + length;
    return {
      f,
      process: "p",
      taskId: "t",
      invokedAt,
      returnedAt,
      outcome,
      inputSha256: null,
      key: null,
      task,
      place: null,
    };
  }) as fc.Arbitrary<Call>;

const CREATED: Call = {
  ...{ f: "create", process: "p", taskId: "t", invokedAt: 0, returnedAt: 8, outcome: "ok", inputSha256: null },
  ...{ key: null, task: undefined, place: null },
};

test("calls of clients have an order exactly where trying every order finds one", () => {
  let linearizable = 0;
  const runs = 2_000;
  fc.assert(
    fc.property(fc.array(call, { maxLength: 6 }), (calls) => {
      const intervals = [CREATED, ...calls].map((op) => ({ op, invokedAt: op.invokedAt, returnedAt: op.returnedAt }));
      const isExplained = hasOrder(intervals, taskRegister);
      if (isExplained) linearizable += 1;
      expect(linearize(intervals, taskRegister)).toBe(isExplained ? "linearizable" : "not linearizable");
    }),
    { numRuns: runs },
  );
  expect(Math.min(linearizable, runs - linearizable)).toBeGreaterThan(runs / 20);
});
