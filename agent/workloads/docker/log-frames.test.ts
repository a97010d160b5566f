import fc from "fast-check";
import { expect, test } from "vitest";
import { logFrames } from "./log-frames.ts";

function framed(stream: number, text: string): Buffer {
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

test("what two streams wrote comes out in order, however it is cut on its way", () => {
  const lines = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), fc.string({ maxLength: 40 })), { maxLength: 10 });
  fc.assert(
    fc.property(lines, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 50 }), (written, cuts) => {
      const bytes = Buffer.concat(written.map(([stream, text]) => framed(stream, text)));
      const got: Buffer[] = [];
      const take = logFrames((piece) => void got.push(piece));
      for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
        const length = cuts[cut % cuts.length] ?? 1;
        take(bytes.subarray(at, at + length));
        at += length;
      }
      expect(Buffer.concat(got).toString()).toBe(written.map(([, text]) => text).join(""));
    }),
  );
});
