/** Where the elements of a JSON array are, without white space around them. */
import type { Span } from "./json-scanner.ts";

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** `array` is the span of a valid array within `bytes`, as json-scanner.ts found it. */
export function* arrayElements(bytes: Buffer, array: Span): Generator<Span> {
  const end = array.end - 1;
  let start = array.start + 1;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA && depth === 0) {
      yield trimmed(bytes, start, at);
      start = at + 1;
    }
  }
  const last = trimmed(bytes, start, end);
  if (last.end > last.start) yield last;
}

/** Of the closing quote of the text that opens at `at`. */
function endOfText(bytes: Buffer, at: number): number {
  for (let quote = bytes.indexOf(QUOTE, at + 1); ; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
}

function trimmed(bytes: Buffer, from: number, to: number): Span {
  let [start, end] = [from, to];
  while (start < end && isBlank(bytes[start])) start += 1;
  while (end > start && isBlank(bytes[end - 1])) end -= 1;
  return { start, end };
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
