/**
 * Checks JSON (RFC 8259, UTF-8) as its bytes come, however they are cut, without building anything of it: a
 * result may be larger than any string, and its numbers and duplicate keys must survive as they are. Says where
 * the value stands and, for an object, where its first members do.
 */
import { beginNumber, continueNumber, mayEndNumber, type NumberState } from "./json-number.ts";
import { JsonStringScan } from "./json-string-scan.ts";
import { NotJsonError } from "./not-json.ts";

/** Bytes `start` up to but not including `end` of all that was pushed. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  /** The key without its quotes, escapes as they stand. */
  readonly key: Span;
  readonly value: Span;
}

export interface JsonShape {
  readonly kind: "string" | "object" | "other";
  readonly value: Span;
  /** The first members of an object, at most MEMBERS_MAX. */
  readonly members: readonly Member[];
}

/** One more than an envelope has, so that a larger object is told from one. */
export const MEMBERS_MAX = 6;
const DEPTH_MAX = 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LITERALS = new Map([
  [0x74, Buffer.from("true")],
  [0x66, Buffer.from("false")],
  [0x6e, Buffer.from("null")],
]);

/** What may come next outside of a token. */
type Expect = "value" | "value-or-close" | "key-or-close" | "key" | "colon" | "comma-or-close" | "nothing";

/** Inside which token the scan is. */
type Token =
  | { readonly kind: "none" }
  | { readonly kind: "string"; readonly scan: JsonStringScan; readonly isKey: boolean }
  | { readonly kind: "literal"; readonly word: Buffer; at: number }
  | { readonly kind: "number"; state: NumberState };

const NO_TOKEN: Token = { kind: "none" };

export class JsonScan {
  readonly #depth: number[] = [];
  readonly #members: Member[] = [];
  #expect: Expect = "value";
  #token: Token = NO_TOKEN;
  #offset = 0;
  #kind: JsonShape["kind"] = "other";
  #value: Span = { start: 0, end: 0 };
  #keyStart = 0;
  #key: Span = { start: 0, end: 0 };
  #memberStart = 0;

  /** Throws a NotJsonError at the first byte that cannot stand there. */
  push(chunk: Buffer): void {
    for (let index = 0; index < chunk.length; index += 1) {
      const token = this.#token;
      if (token.kind === "string" && token.scan.plain) index = skipPlain(chunk, index);
      const byte = chunk[index];
      if (byte === undefined) break;
      this.#byte(byte, this.#offset + index);
    }
    this.#offset += chunk.length;
  }

  /** The shape of the whole; throws a NotJsonError when it is not complete. */
  end(): JsonShape {
    if (this.#offset === 0) throw new NotJsonError("it is empty");
    const token = this.#token;
    if (token.kind === "number" && mayEndNumber(token.state)) this.#endValue(this.#offset);
    if (this.#expect !== "nothing") throw new NotJsonError("it is not complete JSON");
    return { kind: this.#kind, value: this.#value, members: this.#members };
  }

  #byte(byte: number, at: number): void {
    const token = this.#token;
    switch (token.kind) {
      case "none":
        this.#structure(byte, at);
        break;
      case "string":
        if (token.scan.push(byte, at)) this.#endString(token.isKey, at);
        break;
      case "literal":
        if (byte !== token.word[token.at]) fail(at);
        token.at += 1;
        if (token.at === token.word.length) this.#endValue(at + 1);
        break;
      case "number":
        this.#number(token, byte, at);
    }
  }

  /** A number ends at the first byte that is none of its own, which then stands for itself. */
  #number(token: Extract<Token, { kind: "number" }>, byte: number, at: number): void {
    const next = continueNumber(token.state, byte);
    if (next !== null) {
      token.state = next;
      return;
    }
    if (!mayEndNumber(token.state)) fail(at);
    this.#endValue(at);
    this.#structure(byte, at);
  }

  #structure(byte: number, at: number): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    const expect = this.#expect;
    if (expect === "value") this.#beginValue(byte, at);
    else if (expect === "value-or-close" && byte !== CLOSE_ARRAY) this.#beginValue(byte, at);
    else if ((expect === "key" || expect === "key-or-close") && byte === QUOTE) this.#beginKey(at);
    else if (expect === "colon" && byte === COLON) this.#expect = "value";
    else if (expect === "comma-or-close" && byte === COMMA) this.#expect = this.#inObject() ? "key" : "value";
    else if (expect.endsWith("or-close")) this.#close(byte, at);
    else fail(at);
  }

  #beginValue(byte: number, at: number): void {
    if (this.#depth.length === 0) this.#beginWhole(byte, at);
    if (this.#depth.length === 1) this.#memberStart = at;
    const word = LITERALS.get(byte);
    const number = beginNumber(byte);
    if (byte === QUOTE) this.#token = { kind: "string", scan: new JsonStringScan(), isKey: false };
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte);
    else if (word !== undefined) this.#token = { kind: "literal", word, at: 1 };
    else if (number !== null) this.#token = { kind: "number", state: number };
    else fail(at);
  }

  #beginWhole(byte: number, at: number): void {
    this.#value = { start: at, end: at };
    this.#kind = byte === QUOTE ? "string" : byte === OPEN_OBJECT ? "object" : "other";
  }

  #beginKey(at: number): void {
    this.#keyStart = at + 1;
    this.#token = { kind: "string", scan: new JsonStringScan(), isKey: true };
  }

  #endString(isKey: boolean, at: number): void {
    if (!isKey) {
      this.#endValue(at + 1);
      return;
    }
    this.#token = NO_TOKEN;
    this.#expect = "colon";
    if (this.#depth.length === 1) this.#key = { start: this.#keyStart, end: at };
  }

  #open(byte: number): void {
    if (this.#depth.length === DEPTH_MAX) throw new NotJsonError(`it nests deeper than ${DEPTH_MAX} levels`);
    this.#depth.push(byte);
    this.#expect = byte === OPEN_OBJECT ? "key-or-close" : "value-or-close";
  }

  #close(byte: number, at: number): void {
    if (byte !== (this.#inObject() ? CLOSE_OBJECT : CLOSE_ARRAY)) fail(at);
    this.#depth.pop();
    this.#endValue(at + 1);
  }

  #endValue(end: number): void {
    this.#token = NO_TOKEN;
    if (this.#depth.length === 0) {
      this.#value = { start: this.#value.start, end };
      this.#expect = "nothing";
      return;
    }
    if (this.#depth.length === 1 && this.#inObject() && this.#members.length < MEMBERS_MAX) {
      this.#members.push({ key: this.#key, value: { start: this.#memberStart, end } });
    }
    this.#expect = "comma-or-close";
  }

  #inObject(): boolean {
    return this.#depth.at(-1) === OPEN_OBJECT;
  }
}

/** The index of the first byte from `index` on that is more than a plain character of a string. */
function skipPlain(chunk: Buffer, index: number): number {
  let at = index;
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at] as number;
    if (byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === 0x5c) break;
  }
  return at;
}

function fail(at: number): never {
  throw new NotJsonError(`it is not JSON (at byte ${at})`);
}
