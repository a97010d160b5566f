import fc from "fast-check";
import { expect, test } from "vitest";
import { SlotUsage } from "./slot-usage.ts";

const HOUR_MS = 3_600_000;
const one = (teamId: string, slots = 1) => ({ teamId, slots });

test("a slot-second of an hour ago counts half", () => {
  const usage = new SlotUsage();
  usage.hold("a", one("t"), 0, 0);
  usage.release("a", 1_000);
  const fresh = usage.slotSeconds("t", 1_000);
  expect(fresh).toBeCloseTo(1, 3);
  expect(usage.slotSeconds("t", 1_000 + HOUR_MS)).toBeCloseTo(fresh / 2, 9);
  expect(usage.slotSeconds("other", 0)).toBe(0);
});

test("sums what is held over all seconds, each halved by the hour, whenever it is held and released", () => {
  const span = fc.record({ from: fc.nat({ max: 5_000 }), for: fc.nat({ max: 5_000 }), slots: fc.nat({ max: 8 }) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), (spans) => {
      const usage = new SlotUsage();
      const events = spans.flatMap(({ from, for: length, slots }, n) => [
        { at: from, act: () => usage.hold(`${n}`, one("t", slots), 0, from * 1000) },
        { at: from + length, act: () => usage.release(`${n}`, (from + length) * 1000) },
      ]);
      // Stable: what is held for no time is held first.
      for (const { act } of events.sort((a, b) => a.at - b.at)) act();
      const end = 10_000;
      let expected = 0;
      for (const { from, for: length, slots } of spans) {
        for (let s = from; s < from + length; s++) expected += slots * 2 ** (-(end - s - 0.5) / 3_600);
      }
      expect(usage.slotSeconds("t", end * 1000)).toBeCloseTo(expected, 1);
    }),
    { numRuns: 50 },
  );
});

test("counts what is held from its assignment on for a new leader, and not what was released before", () => {
  const usage = new SlotUsage();
  usage.hold("a", one("t", 2), 0, 0);
  usage.hold("b", one("t"), 0, 0);
  usage.release("b", 100_000);
  const afterwards = new SlotUsage();
  afterwards.hold("a", one("t", 2), 500_000, 7);
  const [before, after] = [usage.slotSeconds("t", 500_000), afterwards.slotSeconds("t", 7)];
  expect(after).toBeLessThan(before);
  expect(before - after).toBeLessThan(100);
});

test("what is said twice counts once, and a team that took many slots is behind at once", () => {
  const usage = new SlotUsage();
  for (const _ of [1, 2]) usage.hold("a", one("t", 2), 0, 0);
  expect(usage.standing("t", 0)).toBe(120);
  expect([usage.hasOtherHolders("t"), usage.hasOtherHolders("other")]).toEqual([false, true]);
  for (const _ of [1, 2]) usage.release("a", 0);
  expect(usage.standing("t", 0)).toBe(0);
  expect(usage.hasOtherHolders("other")).toBe(false);
});
