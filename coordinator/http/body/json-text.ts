/** Bytes of UTF-8 text as the inside of a JSON string, piece by piece, so that none of them is long. */
import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";

export async function* jsonText(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string> {
  // Holds back the bytes of a character that is cut by the end of a piece.
  const decoder = new StringDecoder("utf8");
  yield '"';
  for await (const piece of source) {
    yield escaped(decoder.write(piece));
    // Pieces in memory and a client that reads them at once would never let go of the event loop.
    await setImmediate();
  }
  yield `${escaped(decoder.end())}"`;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Views of at most `bytes` bytes each. */
export function* slices(buffer: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < buffer.length; at += bytes) yield buffer.subarray(at, at + bytes);
}
