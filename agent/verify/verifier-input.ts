/**
 * What a verifier is posted: `{"input":…,"result":…}`, both as they came, written around them and never held
 * completely.
 */
import { createReadStream } from "node:fs";
import type { TaskInput } from "../domain/driver.ts";
import type { StoredResult } from "../results/collect.ts";
import { escapeChunk, escapedBytes } from "./json-string.ts";

const BEFORE_INPUT = Buffer.from('{"input":');
const BEFORE_RESULT = Buffer.from(',"result":');
const QUOTE = Buffer.from('"');
const END = Buffer.from("}");
const READ_BYTES = 256 * 1024;
/** Up to this size it is put together at once: most proofs are small. */
const INLINE_BYTES_MAX = 256 * 1024;

export async function verifierInput(input: TaskInput, result: StoredResult): Promise<TaskInput> {
  const open = (signal: AbortSignal): AsyncIterable<Buffer> => pieces(input, result, signal);
  const around = BEFORE_INPUT.length + BEFORE_RESULT.length + END.length;
  const bytes = around + input.bytes + (await jsonBytes(result));
  if (bytes > INLINE_BYTES_MAX || input.inline === null) return { bytes, inline: null, open };
  const parts: Buffer[] = [];
  for await (const piece of pieces(input, result, new AbortController().signal)) parts.push(piece);
  return { bytes, inline: Buffer.concat(parts), open };
}

async function* pieces(input: TaskInput, result: StoredResult, signal: AbortSignal): AsyncGenerator<Buffer> {
  yield BEFORE_INPUT;
  if (input.inline === null) yield* input.open(signal);
  else yield input.inline;
  yield BEFORE_RESULT;
  if (!result.isString) {
    yield* textOf(result);
  } else {
    yield QUOTE;
    for await (const chunk of textOf(result)) yield escapeChunk(chunk);
    yield QUOTE;
  }
  yield END;
}

/** As JSON: a result that was a string is stored as what it says, and needs its quotes and escapes again. */
async function jsonBytes(result: StoredResult): Promise<number> {
  if (!result.isString) return result.kind === "inline" ? result.text.length : result.bytes;
  let bytes = 2 * QUOTE.length;
  for await (const chunk of textOf(result)) bytes += escapedBytes(chunk);
  return bytes;
}

async function* textOf(result: StoredResult): AsyncGenerator<Buffer> {
  if (result.kind === "inline") yield result.text;
  else yield* createReadStream(result.path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>;
}
