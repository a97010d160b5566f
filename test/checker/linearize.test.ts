import fc from "fast-check";
import { expect, test } from "vitest";
import { type Interval, linearize, type Model } from "./linearize.ts";
import { hasOrder } from "./testing/every-order.ts";

type Op = { readonly kind: "write" | "read"; readonly value: number };

/** One value, 0 at first. */
const register: Model<number, Op> = {
  initial: 0,
  step: (state, { kind, value }) => (kind === "write" ? value : state === value ? state : null),
  key: String,
  isRead: (_state, { kind }) => kind === "read",
};

const at = (invokedAt: number, returnedAt: number, kind: Op["kind"], value: number): Interval<Op> => ({
  op: { kind, value },
  invokedAt,
  returnedAt,
});
const NEVER = Number.POSITIVE_INFINITY;

test("accepts reads on both sides of a concurrent write", () => {
  expect(linearize([at(0, 10, "write", 1), at(1, 2, "read", 0), at(3, 4, "read", 1)], register)).toBe("linearizable");
});

test("rejects a read of the old value after one of the new value", () => {
  expect(linearize([at(0, 10, "write", 1), at(1, 2, "read", 1), at(3, 4, "read", 0)], register)).toBe(
    "not linearizable",
  );
});

test("rejects a read that begins after the write has returned and misses it", () => {
  expect(linearize([at(0, 1, "write", 1), at(2, 3, "read", 0)], register)).toBe("not linearizable");
});

test("lets an operation without a known outcome take effect late, or never", () => {
  const unknown = at(0, NEVER, "write", 1);
  expect(linearize([unknown, at(1, 2, "read", 0), at(90, 91, "read", 1)], register)).toBe("linearizable");
  expect(linearize([unknown, at(1, 2, "read", 0), at(90, 91, "read", 0)], register)).toBe("linearizable");
  expect(linearize([unknown, at(1, 2, "read", 1), at(90, 91, "read", 0)], register)).toBe("not linearizable");
});

test("lets an operation without a known outcome never take effect where it cannot", () => {
  expect(linearize([at(0, NEVER, "read", 99), at(1, 2, "read", 0)], register)).toBe("linearizable");
});

test("does not let it take effect before its invocation", () => {
  expect(linearize([at(5, NEVER, "write", 1), at(1, 2, "read", 1)], register)).toBe("not linearizable");
});

test("is undecided once more configurations are explored than may be", () => {
  const writes = Array.from({ length: 20 }, (_, value) => at(0, 10, "write", value));
  expect(linearize([...writes, at(20, 21, "read", 99)], register, 1_000)).toBe("undecided");
});

test("decides forty concurrent operations on one object", () => {
  const reads = Array.from({ length: 39 }, (_, index) => at(index, 100, "read", 0));
  expect(linearize([...reads, at(0, 100, "write", 1)], register)).toBe("linearizable");
});

test("explores a configuration once, in whatever order it was reached", () => {
  let steps = 0;
  const counted: typeof register = {
    ...register,
    step: (state, op) => {
      steps += 1;
      return register.step(state, op);
    },
  };
  const writes = Array.from({ length: 8 }, () => at(0, 10, "write", 1));
  expect(linearize([...writes, at(20, 21, "read", 99)], counted)).toBe("not linearizable");
  // Each of the 2^8 sets of writes, and from each at most 8 steps; their orders are 40,320.
  expect(steps).toBeLessThan(2 ** 8 * 8);
});

/** Few values, instants and lengths, so that about as many histories have an order as have none. */
const interval = fc
  .tuple(fc.nat(12), fc.nat(6), fc.constantFrom("read", "read", "write"), fc.nat(1), fc.nat(5))
  .map(([invokedAt, length, kind, value, outcome]) =>
    at(invokedAt, outcome === 0 ? NEVER : invokedAt + length, kind as Op["kind"], value),
  );

test("agrees with trying every order", () => {
  const found = { linearizable: 0, "not linearizable": 0, undecided: 0 };
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 7 }), (intervals) => {
      const verdict = linearize(intervals, register);
      found[verdict] += 1;
      expect(verdict).toBe(hasOrder(intervals, register) ? "linearizable" : "not linearizable");
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(found.linearizable, found["not linearizable"])).toBeGreaterThan(200);
});

const READS = 30_000;

test("decides thirty thousand reads by one client, after one whose outcome is unknown", () => {
  const reads = Array.from({ length: READS }, (_, index) => at(2 * index, 2 * index + 1, "read", 0));
  const wrong = at(2 * READS, 2 * READS + 1, "read", 2);
  expect(linearize([at(0, NEVER, "write", 1), ...reads], register)).toBe("linearizable");
  expect(linearize([at(0, NEVER, "write", 1), ...reads, wrong], register)).toBe("not linearizable");
});

test("decides thirty thousand reads by sixteen clients at once", () => {
  const reads = Array.from({ length: READS }, (_, index) => at(index, index + 16, "read", 0));
  expect(linearize(reads, register)).toBe("linearizable");
  expect(linearize([...reads, at(2 * READS, 2 * READS + 1, "read", 2)], register)).toBe("not linearizable");
});
