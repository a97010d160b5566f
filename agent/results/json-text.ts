/** Turns the inside of a JSON string into its text, as its bytes come. The bytes were scanned before. */
import { NotJsonError } from "./not-json.ts";

export interface JsonTextDecoder {
  push(chunk: Buffer): Buffer;
  /** Throws when an escape was left half-way, such as a lone surrogate. */
  end(): void;
}

const BACKSLASH = 0x5c;
const SIMPLE = new Map<number, number>([
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x2f, 0x2f],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);
const LONGEST_ESCAPE_BYTES = 12;

export function jsonTextDecoder(): JsonTextDecoder {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push: (chunk) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const { text, used } = decode(bytes);
      rest = Buffer.from(bytes.subarray(used));
      return text;
    },
    end: () => {
      if (rest.length > 0) throw loneSurrogate();
    },
  };
}

function decode(bytes: Buffer): { readonly text: Buffer; readonly used: number } {
  let backslash = bytes.indexOf(BACKSLASH);
  if (backslash === -1) return { text: bytes, used: bytes.length };
  // An escape is never shorter than the character it stands for.
  const text = Buffer.allocUnsafe(bytes.length);
  let filled = 0;
  let at = 0;
  while (backslash !== -1) {
    filled += bytes.copy(text, filled, at, backslash);
    at = backslash;
    const sequence = readEscape(bytes.subarray(backslash, backslash + LONGEST_ESCAPE_BYTES));
    if (sequence === null) return { text: text.subarray(0, filled), used: at };
    filled += text.write(String.fromCodePoint(sequence.codePoint), filled, "utf8");
    at = backslash + sequence.bytes;
    backslash = bytes.indexOf(BACKSLASH, at);
  }
  filled += bytes.copy(text, filled, at);
  return { text: text.subarray(0, filled), used: bytes.length };
}

/** Null when more bytes are needed to know. */
function readEscape(bytes: Buffer): { readonly codePoint: number; readonly bytes: number } | null {
  const second = bytes[1];
  if (second === undefined) return null;
  const simple = SIMPLE.get(second);
  if (simple !== undefined) return { codePoint: simple, bytes: 2 };
  if (bytes.length < 6) return null;
  const high = readHex(bytes, 2);
  if (high < 0xd800 || high > 0xdfff) return { codePoint: high, bytes: 6 };
  if (high >= 0xdc00) throw loneSurrogate();
  if (bytes.length >= 8 && (bytes[6] !== BACKSLASH || bytes[7] !== 0x75)) throw loneSurrogate();
  if (bytes.length < LONGEST_ESCAPE_BYTES) return null;
  const low = readHex(bytes, 8);
  if (low < 0xdc00 || low > 0xdfff) throw loneSurrogate();
  return { codePoint: 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), bytes: LONGEST_ESCAPE_BYTES };
}

function readHex(bytes: Buffer, at: number): number {
  return Number.parseInt(bytes.toString("latin1", at, at + 4), 16);
}

function loneSurrogate(): NotJsonError {
  return new NotJsonError("its text has half of a surrogate pair, which no text can hold");
}
