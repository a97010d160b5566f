/** Where the bytes of a response are read from again, once all have come. */
import type { FileHandle } from "node:fs/promises";
import type { Span } from "@elastic/std/json/json-scanner.ts";

const READ_BYTES = 256 * 1024;

export interface AnswerSource {
  read(span: Span): Buffer | Promise<Buffer>;
  stream(span: Span): Iterable<Buffer> | AsyncIterable<Buffer>;
}

export function memorySource(whole: Buffer): AnswerSource {
  return {
    read: ({ start, end }) => whole.subarray(start, end),
    stream: ({ start, end }) => [whole.subarray(start, end)],
  };
}

export function fileSource(file: FileHandle): AnswerSource {
  const read = async ({ start, end }: Span): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    if (bytesRead !== buffer.length) throw new Error("the stored result is shorter than what was written to it");
    return buffer;
  };
  return {
    read,
    stream: async function* ({ start, end }) {
      for (let at = start; at < end; at += READ_BYTES)
        yield await read({ start: at, end: Math.min(end, at + READ_BYTES) });
    },
  };
}
