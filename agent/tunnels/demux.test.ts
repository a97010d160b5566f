import { expect, test } from "vitest";
import { Demux } from "./demux.ts";

function frame(of: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = of;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

const STREAM = Buffer.concat([frame(1, "out"), frame(2, "error"), frame(1, ""), frame(1, "more")]);

test.each([1, 2, 3, 7, 8, 9, 100])("output and errors are told apart in pieces of %i bytes", (bytes) => {
  const demux = new Demux();
  const got = { stdout: "", stderr: "" };
  for (let at = 0; at < STREAM.length; at += bytes) {
    for (const piece of demux.take(STREAM.subarray(at, at + bytes))) got[piece.of] += piece.bytes.toString();
  }
  expect(got).toEqual({ stdout: "outmore", stderr: "error" });
});
