/** Bytes in pieces of at most the size that one message carries. */
import { CHUNK_BYTES_MAX } from "./limits.ts";

export async function* chunksOf(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    for (let at = 0; at < piece.length; at += CHUNK_BYTES_MAX) yield piece.subarray(at, at + CHUNK_BYTES_MAX);
  }
}
