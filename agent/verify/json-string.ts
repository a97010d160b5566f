/** Turns text back into the inside of a JSON string, as its bytes come. What it is made of was UTF-8 before. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PLAIN = 0x20;
const SHORT = new Map<number, string>([
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0c, "f"],
  [0x0d, "r"],
  [QUOTE, '"'],
  [BACKSLASH, "\\"],
]);
const UNICODE_ESCAPE_BYTES = 6;

/** Bytes that the chunk takes inside a JSON string. */
export function escapedBytes(chunk: Buffer): number {
  let bytes = chunk.length;
  for (const byte of chunk) if (needsEscape(byte)) bytes += (SHORT.has(byte) ? 2 : UNICODE_ESCAPE_BYTES) - 1;
  return bytes;
}

/** The same bytes where nothing is to be escaped. */
export function escapeChunk(chunk: Buffer): Buffer {
  const bytes = escapedBytes(chunk);
  if (bytes === chunk.length) return chunk;
  const escaped = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const byte of chunk) {
    if (needsEscape(byte)) at += escaped.write(escapeOf(byte), at, "latin1");
    else escaped[at++] = byte;
  }
  return escaped;
}

function needsEscape(byte: number): boolean {
  return byte < FIRST_PLAIN || byte === QUOTE || byte === BACKSLASH;
}

function escapeOf(byte: number): string {
  return `\\${SHORT.get(byte) ?? `u${byte.toString(16).padStart(4, "0")}`}`;
}
