import fc from "fast-check";
import { expect, test } from "vitest";
import { SharedContact } from "./shared-contact.ts";

const AFTER_MS = 12_000;

function contact(): SharedContact {
  const made = new SharedContact();
  made.setFenceAfterMs(AFTER_MS);
  return made;
}

test("a gap is too long once what was acknowledged last was sent that long ago", () => {
  const shared = contact();
  expect(shared.tooLongSince(1e9)).toBeNull();
  shared.onAlive(1_000, 1_100);
  expect(shared.tooLongSince(1_000 + AFTER_MS - 1)).toBeNull();
  expect(shared.tooLongSince(1_000 + AFTER_MS)).toBe(1_000n);
});

test("what the thread received counts for the loop at once, through the memory alone", () => {
  const loop = contact();
  loop.onAlive(1_000, 1_100);
  new SharedContact(loop.memory).onAlive(20_000 - 3_000, 1_000 + AFTER_MS - 1);
  expect(loop.tooLongSince(20_000)).toBeNull();
});

test("a gap that was too long counts although contact came back before the loop looked", () => {
  const loop = contact();
  loop.onAlive(1_000, 1_100);
  new SharedContact(loop.memory).onAlive(30_000, 30_100);
  expect(loop.tooLongSince(30_200)).toBe(1_000n);
  // The same one, so that it is acted on once.
  expect(loop.tooLongSince(31_000)).toBe(1_000n);
});

test("never goes back: what was sent earlier and acknowledged later changes nothing", () => {
  const shared = contact();
  shared.onAlive(9_000, 9_100);
  shared.onAlive(5_000, 9_200);
  expect(shared.tooLongSince(9_000 + AFTER_MS - 1)).toBeNull();
});

test("of any acknowledgements, a gap is found exactly where one is as long as the fence", () => {
  const step = fc.record({ waitMs: fc.nat(9_000), delayMs: fc.nat(9_000) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1 }), (steps) => {
      const shared = contact();
      let nowMs = 0;
      let last: number | null = null;
      let expected: number | null = null;
      for (const { waitMs, delayMs } of steps) {
        nowMs += waitMs;
        const sentMs = nowMs;
        nowMs += delayMs;
        if (last !== null && nowMs - last >= AFTER_MS) expected = last;
        shared.onAlive(sentMs, nowMs);
        last = sentMs;
      }
      if (last !== null && nowMs - last >= AFTER_MS) expected = last;
      const found = shared.tooLongSince(nowMs);
      expect(found === null ? null : Number(found)).toBe(expected);
    }),
  );
});

test("says for how long the loop has not responded", () => {
  const loop = contact();
  loop.onLoopResponds(5_000);
  expect(new SharedContact(loop.memory).loopSilentMs(25_000)).toBe(20_000);
});
