import fc from "fast-check";
import { expect, test } from "vitest";
import { type Piece, StreamFrames, unframe } from "./stream-frames.ts";

function frame(of: Piece["of"], text: string): Buffer {
  const header = Buffer.from([of === "stderr" ? 2 : 1, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

const STREAMS = fc.constantFrom<Piece["of"]>("stdout", "stderr");
const WRITTEN = fc.array(fc.tuple(STREAMS, fc.string({ maxLength: 40 })), { maxLength: 10 });
const CUTS = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 50 });

test("separates output from errors, in order, however they are cut on their way", () => {
  fc.assert(
    fc.property(WRITTEN, CUTS, (written, cuts) => {
      const bytes = Buffer.concat(written.map(([of, text]) => frame(of, text)));
      const frames = new StreamFrames();
      const got: Piece[] = [];
      for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
        const length = cuts[cut % cuts.length] ?? 1;
        got.push(...frames.take(bytes.subarray(at, at + length)));
        at += length;
      }
      for (const one of ["stdout", "stderr"] as const) {
        const bytesOf = Buffer.concat(got.filter(({ of }) => of === one).map((piece) => piece.bytes));
        expect(bytesOf.toString()).toBe(written.flatMap(([of, text]) => (of === one ? [text] : [])).join(""));
      }
      const all = written.map(([, text]) => text).join("");
      expect(Buffer.concat(got.map((piece) => piece.bytes)).toString()).toBe(all);
      expect(unframe(bytes).toString()).toBe(all);
    }),
  );
});

test("takes what there is of a frame that is cut off", () => {
  expect(unframe(frame("stdout", "three").subarray(0, 10)).toString()).toBe("th");
});
