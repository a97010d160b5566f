/**
 * The grammar of JSON (RFC 8259) in UTF-8 as one table: the entry at `row | byte` is the next row, or an action for
 * the few bytes at which json-scanner.ts does more than move on. A row is a state inside of a container, so that
 * commas, colons and keys need no action where no listener is called for them.
 */
import { addText, type On, TEXT_STATES } from "./json-text-grammar.ts";

/** What the scanner is inside of. `Members` is the object that is the top-level value, whose members are reported. */
export const Inside = { Nothing: 0, Members: 1, Object: 2, Array: 3 } as const;

/** Where the scanner stands between two bytes. */
export const State = {
  /** The top-level value, or that of one of its members, must come. */
  Begin: 1,
  /** A value must come. */
  Value: 2,
  /** A value or the end of an array must come. */
  FirstItem: 3,
  /** A key or the end of an object must come. */
  FirstKey: 4,
  Key: 5,
  Colon: 6,
  /** After a value: a comma, or an end. */
  After: 7,
  /** The same, once the end of the top-level value or of a member's has been reported. */
  Ended: 8,
  Minus: 9,
  Zero: 10,
  Integer: 11,
  Point: 12,
  Fraction: 13,
  ExponentMark: 14,
  ExponentSign: 15,
  Exponent: 16,
  /** Inside `true`, `false`, `null`: one state for each letter that has been seen. */
  Literal: 17,
  Text: 27,
  KeyText: 27 + TEXT_STATES,
} as const;

/** An entry below the first row is one of these; what is not in the table is refused. */
export const Action = {
  Refuse: 0,
  OpenObject: 1,
  OpenArray: 2,
  Close: 3,
  KeyStart: 4,
  KeyEnd: 5,
  /** From here on the byte is looked at again in the next row: it starts a value, or follows one. */
  ValueStart: 6,
  ValueEnd: 7,
} as const;

export const FIRST_ROW = 256;
const STATES = 64;

export function rowOf(inside: number, state: number): number {
  return (inside * STATES + state) * FIRST_ROW;
}

export function stateOf(row: number): number {
  return (row / FIRST_ROW) % STATES;
}

const SPACES = " \t\n\r";
const DIGITS = "0123456789";

export const TABLE: Uint16Array = buildTable();

function buildTable(): Uint16Array {
  const table = new Uint16Array(rowOf(Inside.Array + 1, 0));
  for (const inside of Object.values(Inside)) {
    const row = (state: number) => rowOf(inside, state);
    const on: On = (state, bytes, entry) => {
      const list = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
      for (const byte of list) table[row(state) + byte] = entry;
    };
    const blanks = [State.Begin, State.Value, State.FirstItem, State.FirstKey, State.Key, State.Colon, State.Ended];
    for (const state of blanks) on(state, SPACES, row(state));
    addValues(on, row);
    addText(on, row, State.Text, row(State.After));
    addContainer(on, row, inside);
  }
  return table;
}

function addValues(on: On, row: (state: number) => number): void {
  on(State.Begin, '"{[-0123456789tfn', Action.ValueStart);
  for (const state of [State.Value, State.FirstItem]) {
    on(state, "{", Action.OpenObject);
    on(state, "[", Action.OpenArray);
    on(state, '"', row(State.Text));
    on(state, "-", row(State.Minus));
    let next: number = State.Literal;
    for (const word of ["true", "false", "null"]) {
      let from: number = state;
      for (const letter of word.slice(0, -1)) {
        on(from, letter, row(next));
        from = next++;
      }
      on(from, word.slice(-1), row(State.After));
    }
  }
  for (const state of [State.Value, State.FirstItem, State.Minus]) {
    on(state, "0", row(State.Zero));
    on(state, "123456789", row(State.Integer));
  }
  on(State.Integer, DIGITS, row(State.Integer));
  for (const state of [State.Zero, State.Integer]) on(state, ".", row(State.Point));
  for (const state of [State.Point, State.Fraction]) on(state, DIGITS, row(State.Fraction));
  for (const state of [State.Zero, State.Integer, State.Fraction]) on(state, "eE", row(State.ExponentMark));
  on(State.ExponentMark, "+-", row(State.ExponentSign));
  for (const state of [State.ExponentMark, State.ExponentSign, State.Exponent]) on(state, DIGITS, row(State.Exponent));
}

function addContainer(on: On, row: (state: number) => number, inside: number): void {
  const isMembers = inside === Inside.Members;
  const isReported = isMembers || inside === Inside.Nothing;
  const isArray = inside === Inside.Array;
  // The byte after a number is not part of it: a number that may end is followed by what follows any value.
  for (const state of [State.After, State.Zero, State.Integer, State.Fraction, State.Exponent]) {
    if (isReported) on(state, isMembers ? `${SPACES},}` : SPACES, Action.ValueEnd);
    else on(state, SPACES, row(State.After));
  }
  const after = isReported ? [State.Ended] : [State.After, State.Zero, State.Integer, State.Fraction, State.Exponent];
  if (inside === Inside.Nothing) return;
  for (const state of after) {
    on(state, ",", row(isArray ? State.Value : State.Key));
    on(state, isArray ? "]" : "}", Action.Close);
  }
  if (isArray) {
    on(State.FirstItem, "]", Action.Close);
    return;
  }
  for (const state of [State.FirstKey, State.Key]) on(state, '"', isMembers ? Action.KeyStart : row(State.KeyText));
  on(State.FirstKey, "}", Action.Close);
  on(State.Colon, ":", row(isMembers ? State.Begin : State.Value));
  addText(on, row, State.KeyText, isMembers ? Action.KeyEnd : row(State.Colon));
}
