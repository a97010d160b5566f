/**
 * Checks one JSON text (RFC 8259, UTF-8) as its bytes come, however they are cut, and says where its value and, if
 * that is an object, its members are. It builds nothing of the value: a text may be larger than any string, and
 * integers above 2^53, keys that stand twice and the spelling of numbers survive. It does not recurse.
 */
import { Action, FIRST_ROW, Inside, rowOf, State, stateOf, TABLE } from "./json-grammar.ts";
import { faultInText } from "./json-text-grammar.ts";

/** Bytes `start` up to but not including `end` of all that was pushed. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Why the text is refused, and the offset of the byte. */
export interface JsonFault {
  readonly kind: "byte" | "control-character" | "escape" | "not-utf8" | "too-deep" | "incomplete" | "stopped";
  readonly at: number;
}

/** Is called for the value at the top and its members. Where it returns `false`, the scan stops. */
export interface JsonListener {
  /** The value begins, with this byte. */
  begin(byte: number): boolean;
  /** A key of the object that is the value: without its quotes, escapes as they stand. */
  key(key: Span): boolean;
  /** The value of the last key. */
  member(value: Span): void;
}

const BLANK = Buffer.from(" ");

export class JsonScanner {
  readonly #listener: JsonListener;
  readonly #depthMax: number;
  /** What each open level is nested in. */
  readonly #outer: number[] = [];
  #inside: number = Inside.Nothing;
  #row = rowOf(Inside.Nothing, State.Begin);
  /** Bytes pushed before the current chunk. */
  #offset = 0;
  #keyStart = 0;
  #memberStart = 0;
  #start = 0;
  #end = 0;
  #fault: JsonFault | null = null;

  constructor(options: { readonly listener: JsonListener; readonly depthMax: number }) {
    this.#listener = options.listener;
    this.#depthMax = options.depthMax;
  }

  /** Null while it may still become JSON. What comes after a fault is not looked at. */
  push(chunk: Uint8Array): JsonFault | null {
    if (this.#fault !== null) return this.#fault;
    const table = TABLE;
    const { length } = chunk;
    let row = this.#row;
    let at = 0;
    while (at < length) {
      const entry = table[row | (chunk[at] as number)] as number;
      if (entry >= FIRST_ROW) {
        at++;
        // Bytes that stay in their row, such as those of a long text, need not wait for each other.
        if (entry === row) while (at < length && table[row | (chunk[at] as number)] === row) at++;
        row = entry;
        continue;
      }
      row = this.#act(entry, row, chunk[at] as number, this.#offset + at);
      if (this.#fault !== null) return this.#fault;
      if (entry < Action.ValueStart) at++;
    }
    this.#row = row;
    this.#offset += length;
    return null;
  }

  /** All has come; null if it is one JSON text. */
  end(): JsonFault | null {
    if (this.#fault !== null) return this.#fault;
    const at = this.#offset;
    // A number at the very end is complete if white space could follow it.
    this.push(BLANK);
    if (this.#row !== rowOf(Inside.Nothing, State.Ended)) this.#fault = { kind: "incomplete", at };
    return this.#fault;
  }

  /** Where the value is, without the white space around it, once `end` found no fault. */
  get value(): Span {
    return { start: this.#start, end: this.#end };
  }

  #act(action: number, row: number, byte: number, at: number): number {
    switch (action) {
      case Action.OpenObject:
        return this.#open(this.#inside === Inside.Nothing ? Inside.Members : Inside.Object, State.FirstKey, at);
      case Action.OpenArray:
        return this.#open(Inside.Array, State.FirstItem, at);
      case Action.Close:
        this.#inside = this.#outer.pop() as number;
        return rowOf(this.#inside, State.After);
      case Action.KeyStart:
        this.#keyStart = at + 1;
        return rowOf(Inside.Members, State.KeyText);
      case Action.KeyEnd:
        if (!this.#listener.key({ start: this.#keyStart, end: at })) return this.#refuse("stopped", at);
        return rowOf(Inside.Members, State.Colon);
      case Action.ValueStart:
        return this.#startValue(byte, at);
      case Action.ValueEnd:
        if (this.#inside === Inside.Members) this.#listener.member({ start: this.#memberStart, end: at });
        else this.#end = at;
        return rowOf(this.#inside, State.Ended);
      default:
        return this.#refuse(faultOf(stateOf(row), byte), at);
    }
  }

  #open(inside: number, state: number, at: number): number {
    if (this.#outer.length === this.#depthMax) return this.#refuse("too-deep", at);
    this.#outer.push(this.#inside);
    this.#inside = inside;
    return rowOf(inside, state);
  }

  #startValue(byte: number, at: number): number {
    if (this.#inside === Inside.Members) this.#memberStart = at;
    else {
      this.#start = at;
      if (!this.#listener.begin(byte)) return this.#refuse("stopped", at);
    }
    return rowOf(this.#inside, State.Value);
  }

  #refuse(kind: JsonFault["kind"], at: number): number {
    this.#fault = { kind, at };
    return this.#row;
  }
}

function faultOf(state: number, byte: number): JsonFault["kind"] {
  if (state < State.Text) return "byte";
  return faultInText(state < State.KeyText ? state - State.Text : state - State.KeyText, byte);
}
