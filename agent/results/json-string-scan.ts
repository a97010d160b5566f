/** Checks the inside of a JSON string, byte by byte: escapes, control characters, UTF-8. */
import { NotJsonError } from "./not-json.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNICODE_ESCAPE = 0x75;
const SIMPLE_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/** Bytes that may follow a lead byte: how many, and the bounds of the first (Unicode 17, table 3-7). */
interface Continuation {
  readonly bytes: number;
  readonly min: number;
  readonly max: number;
}

export class JsonStringScan {
  #escaped = false;
  #hexLeft = 0;
  #left = 0;
  #min = 0x80;
  #max = 0xbf;

  /** Whether `byte` ended the string. `at` is for the message. */
  push(byte: number, at: number): boolean {
    if (this.#left > 0) this.#continueCharacter(byte, at);
    else if (this.#hexLeft > 0) this.#continueHex(byte, at);
    else if (this.#escaped) this.#beginEscape(byte, at);
    else if (byte === QUOTE) return true;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte < 0x20) throw new NotJsonError(`it is not JSON (a control character at byte ${at})`);
    else if (byte >= 0x80) this.#beginCharacter(byte, at);
    return false;
  }

  /** Whether plain ASCII may be passed over without a look at each byte. */
  get plain(): boolean {
    return this.#left === 0 && this.#hexLeft === 0 && !this.#escaped;
  }

  #beginEscape(byte: number, at: number): void {
    this.#escaped = false;
    if (byte === UNICODE_ESCAPE) this.#hexLeft = 4;
    else if (!SIMPLE_ESCAPES.has(byte)) throw new NotJsonError(`it is not JSON (an unknown escape at byte ${at})`);
  }

  #continueHex(byte: number, at: number): void {
    const lower = byte | 0x20;
    const isHex = (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
    if (!isHex) throw new NotJsonError(`it is not JSON (an unfinished escape at byte ${at})`);
    this.#hexLeft -= 1;
  }

  #beginCharacter(lead: number, at: number): void {
    const next = continuationOf(lead);
    if (next === null) throw new NotJsonError(`it is not UTF-8 (at byte ${at})`);
    this.#left = next.bytes;
    this.#min = next.min;
    this.#max = next.max;
  }

  #continueCharacter(byte: number, at: number): void {
    if (byte < this.#min || byte > this.#max) throw new NotJsonError(`it is not UTF-8 (at byte ${at})`);
    this.#left -= 1;
    this.#min = 0x80;
    this.#max = 0xbf;
  }
}

function continuationOf(lead: number): Continuation | null {
  if (lead >= 0xc2 && lead <= 0xdf) return { bytes: 1, min: 0x80, max: 0xbf };
  if (lead >= 0xe0 && lead <= 0xef)
    return { bytes: 2, min: lead === 0xe0 ? 0xa0 : 0x80, max: lead === 0xed ? 0x9f : 0xbf };
  if (lead >= 0xf0 && lead <= 0xf4)
    return { bytes: 3, min: lead === 0xf0 ? 0x90 : 0x80, max: lead === 0xf4 ? 0x8f : 0xbf };
  return null;
}
