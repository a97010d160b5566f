import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteQueue } from "./byte-queue.ts";

test("what was appended is read back from any offset, until it is let go of", () => {
  const steps = fc.array(fc.tuple(fc.uint8Array({ maxLength: 3_000 }), fc.nat(4_000)), { maxLength: 30 });
  fc.assert(
    fc.property(steps, fc.nat(100), (given, start) => {
      const queue = new ByteQueue(start);
      let whole = Buffer.alloc(0);
      let kept = start;
      for (const [piece, drop] of given) {
        queue.append(piece);
        whole = Buffer.concat([whole, piece]);
        const end = start + whole.length;
        kept = Math.min(end, kept + drop);
        queue.dropBefore(kept);
        expect([queue.start, queue.end, queue.length]).toEqual([kept, end, end - kept]);
        const read: Buffer[] = [];
        for (let at = kept; at < end; at += read.at(-1)?.length ?? 0) read.push(queue.read(at, 700));
        expect(Buffer.concat(read)).toEqual(whole.subarray(kept - start));
      }
    }),
    { numRuns: 100 },
  );
});

test("what is not here is read as nothing", () => {
  const queue = new ByteQueue(10);
  expect(queue.read(10, 5)).toHaveLength(0);
  queue.append(Buffer.from("abc"));
  expect(queue.read(9, 5)).toHaveLength(0);
  expect(queue.read(13, 5)).toHaveLength(0);
});

test("many small pieces take little more than their bytes", () => {
  const queue = new ByteQueue(0);
  for (let index = 0; index < 100_000; index += 1) queue.append(Buffer.from("x"));
  expect(queue.read(99_999, 10)).toHaveLength(1);
  let pieces = 0;
  for (let at = 0; at < queue.end; at += queue.read(at, 1 << 20).length) pieces += 1;
  expect(pieces).toBeLessThan(10);
});
