import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeCall,
  decodeDone,
  encodeCall,
  encodeDone,
  encodeFrame,
  FRAME_KIND,
  type Frame,
  frameReader,
} from "./frames.ts";

test("frames come out as they went in, however their bytes are cut", () => {
  const frame = fc.record({
    kind: fc.constantFrom(...Object.values(FRAME_KIND)),
    call: fc.nat(0xffff_ffff),
    payload: fc.uint8Array({ maxLength: 50 }),
  });
  fc.assert(
    fc.property(fc.array(frame), fc.integer({ min: 1, max: 30 }), (frames, cut) => {
      const stream = Buffer.concat(frames.map(({ kind, call, payload }) => encodeFrame(kind, call, payload)));
      const read: Frame[] = [];
      const push = frameReader((each) => read.push({ ...each, payload: Buffer.from(each.payload) }));
      for (let at = 0; at < stream.length; at += cut) push(stream.subarray(at, at + cut));
      expect(read).toEqual(frames.map((each) => ({ ...each, payload: Buffer.from(each.payload) })));
    }),
  );
});

test("a length that no frame has breaks the stream instead of being believed", () => {
  const push = frameReader(() => undefined);
  expect(() => push(Buffer.from("ffffffff0000000000", "hex"))).toThrow(/not one of ours/);
});

test("the payloads of calls and responses keep their numbers and bytes", () => {
  const call = decodeCall(encodeCall(5_000_000_000, Buffer.from("abc")));
  expect([call.inputBytes, call.first.toString()]).toEqual([5_000_000_000, "abc"]);
  const done = decodeDone(encodeDone(4, Buffer.from("why")));
  expect([done.status, done.last.toString()]).toEqual([4, "why"]);
});
