/**
 * Checks a JSON object byte by byte and finds where the value of one top-level key lies. It never builds the value:
 * what a prover is given is cut out of the body, so that integers above 2^53, duplicate keys inside it and the
 * spelling of numbers survive. No recursion, no allocation but for top-level keys, and it can stop and go on at any
 * byte, so that a large body does not hold up other requests.
 */
import { Action, FIRST_ACTION, State, TABLE } from "./json-grammar.ts";

export const DEPTH_MAX = 64;
const TOP_KEYS_MAX = 256;

/** Why a body was refused. `at` is the offset of the byte. */
export interface JsonRefusal {
  readonly code: "not_json" | "not_an_object" | "too_deep" | "duplicate_key" | "too_many_keys";
  readonly detail: string;
  readonly at: number;
}

/** Half-open, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export class JsonScanner {
  readonly #bytes: Buffer;
  readonly #wanted: string;
  /** 1 where the level is an object, by depth. */
  readonly #isObject = new Uint8Array(DEPTH_MAX + 1);
  readonly #topKeys = new Set<string>();
  #depth = 0;
  #state: number = State.Start;
  #at = 0;
  #keyStart = 0;
  #wantedNext = false;
  #start = -1;
  #end = -1;
  #refusal: JsonRefusal | null = null;

  constructor(bytes: Buffer, wanted: string) {
    this.#bytes = bytes;
    this.#wanted = wanted;
  }

  /** Goes on for at most `bytes` bytes. Answers whether there is nothing more to do. */
  scan(bytes: number): boolean {
    const table = TABLE;
    const firstAction = FIRST_ACTION;
    const firstRepeated = Action.NumberEnd;
    const source = this.#bytes;
    const stop = Math.min(source.length, this.#at + bytes);
    let state = this.#state;
    let at = this.#at;
    while (at < stop) {
      const entry = table[(state << 8) | (source[at] as number)] as number;
      if (entry < firstAction) {
        state = entry;
        at++;
        continue;
      }
      state = this.#act(entry, state, at);
      if (this.#refusal !== null) return true;
      // A number ends, and the wanted value starts, before this byte: it is looked at again.
      if (entry < firstRepeated) at++;
    }
    this.#state = state;
    this.#at = at;
    if (at < source.length) return false;
    if (state !== State.End) this.#refuse("not_json", "the body ends in the middle of a value", at);
    return true;
  }

  get refusal(): JsonRefusal | null {
    return this.#refusal;
  }

  /** Where the wanted value lies, without white space around it; null if the key is not there. */
  get found(): ByteRange | null {
    return this.#end < 0 ? null : { start: this.#start, end: this.#end };
  }

  #act(action: number, state: number, at: number): number {
    switch (action) {
      case Action.OpenObject:
        return this.#open(1, State.FirstKey, at);
      case Action.OpenArray:
        return this.#open(0, State.FirstItem, at);
      case Action.CloseObject:
        return this.#close(1, at);
      case Action.CloseArray:
        return this.#close(0, at);
      case Action.Comma:
        if (this.#depth === 1) this.#endWanted(at);
        return this.#isObject[this.#depth] === 1 ? State.Key : State.Value;
      case Action.Colon:
        return this.#wantedNext ? State.WantedValue : State.Value;
      case Action.KeyStart:
        this.#keyStart = at;
        return State.KeyText;
      case Action.KeyEnd:
        if (this.#depth === 1) this.#takeTopKey(at);
        return State.Colon;
      case Action.NumberEnd:
        return State.After;
      case Action.WantedStart:
        this.#start = at;
        this.#wantedNext = false;
        return State.Value;
      default:
        return this.#refuseByte(state, at);
    }
  }

  #open(isObject: 0 | 1, next: number, at: number): number {
    if (this.#depth === DEPTH_MAX) {
      return this.#refuse("too_deep", `the body is nested more than ${DEPTH_MAX} levels deep`, at);
    }
    this.#depth++;
    this.#isObject[this.#depth] = isObject;
    return next;
  }

  #close(isObject: 0 | 1, at: number): number {
    if (this.#isObject[this.#depth] !== isObject) return this.#refuseByte(State.After, at);
    if (this.#depth === 1) this.#endWanted(at);
    this.#depth--;
    return this.#depth === 0 ? State.End : State.After;
  }

  /** The value lies from its first byte to the last one before `at` that is not white space. */
  #endWanted(at: number): void {
    if (this.#start < 0 || this.#end >= 0) return;
    let end = at;
    while (isSpace(this.#bytes[end - 1])) end--;
    this.#end = end;
  }

  #takeTopKey(at: number): void {
    const raw = this.#bytes.toString("utf8", this.#keyStart, at + 1);
    const key = raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
    if (this.#topKeys.has(key)) {
      this.#refuse("duplicate_key", `the key ${JSON.stringify(key.slice(0, 64))} stands twice in the body`, at);
    } else if (this.#topKeys.size === TOP_KEYS_MAX) {
      this.#refuse("too_many_keys", `the body has more than ${TOP_KEYS_MAX} keys`, at);
    }
    this.#topKeys.add(key);
    this.#wantedNext = key === this.#wanted;
  }

  #refuseByte(state: number, at: number): number {
    if (state === State.Start && /["[\-0-9tfn]/.test(String.fromCharCode(this.#bytes[at] ?? 0))) {
      return this.#refuse("not_an_object", "the body must be a JSON object", at);
    }
    return this.#refuse("not_json", `the body is not JSON: unexpected byte at offset ${at}`, at);
  }

  #refuse(code: JsonRefusal["code"], detail: string, at: number): number {
    this.#refusal = { code, detail, at };
    return State.End;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
