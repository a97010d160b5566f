/**
 * The grammar of JSON (RFC 8259) as a table: state and byte give the next state, or one of a few actions for the
 * bytes at which json-scanner.ts has to do more than move on. Objects nest by the scanner's own stack.
 */

/** Where the scanner stands between two bytes. */
export const State = {
  /** Before the document: an object must come. */
  Start: 0,
  /** A value must come. */
  Value: 1,
  /** A value or the end of an array must come. */
  FirstItem: 2,
  /** A key or the end of an object must come. */
  FirstKey: 3,
  Key: 4,
  Colon: 5,
  /** After a value: a comma, or an end. */
  After: 6,
  /** After the document: only white space. */
  End: 7,
  KeyText: 8,
  KeyEscape: 9,
  KeyHex1: 10,
  KeyHex2: 11,
  KeyHex3: 12,
  KeyHex4: 13,
  Text: 14,
  TextEscape: 15,
  TextHex1: 16,
  TextHex2: 17,
  TextHex3: 18,
  TextHex4: 19,
  Minus: 20,
  Zero: 21,
  Integer: 22,
  Point: 23,
  Fraction: 24,
  ExponentMark: 25,
  ExponentSign: 26,
  Exponent: 27,
  /** Inside `true`, `false`, `null`: one state for each letter that has been seen. */
  Literal: 28,
  /** The value of the key that is looked for must come. */
  WantedValue: 40,
} as const;

/** From here on an entry of the table is an action. */
export const FIRST_ACTION = 64;

export const Action = {
  Refuse: 64,
  OpenObject: 65,
  OpenArray: 66,
  CloseObject: 67,
  CloseArray: 68,
  Comma: 69,
  Colon: 70,
  KeyStart: 71,
  KeyEnd: 72,
  /** The byte after a number, which is not part of it. */
  NumberEnd: 73,
  /** First byte of the value that is looked for. */
  WantedStart: 74,
} as const;

const STATES = 41;

/** Indexed by `state * 256 + byte`. */
export const TABLE: Uint8Array = buildTable();

function buildTable(): Uint8Array {
  const table = new Uint8Array(STATES * 256).fill(Action.Refuse);
  const on = (state: number, bytes: string, entry: number) => {
    for (const byte of Buffer.from(bytes, "latin1")) table[state * 256 + byte] = entry;
  };
  for (const state of [0, 1, 2, 3, 4, 5, 6, 7, State.WantedValue]) on(state, " \t\n\r", state);
  on(State.Start, "{", Action.OpenObject);
  for (const state of [State.Value, State.FirstItem]) startValue(on, state);
  on(State.FirstItem, "]", Action.CloseArray);
  on(State.WantedValue, '"{[-0123456789tfn', Action.WantedStart);
  on(State.FirstKey, '"', Action.KeyStart);
  on(State.FirstKey, "}", Action.CloseObject);
  on(State.Key, '"', Action.KeyStart);
  on(State.Colon, ":", Action.Colon);
  on(State.After, ",", Action.Comma);
  on(State.After, "}", Action.CloseObject);
  on(State.After, "]", Action.CloseArray);
  text(table, on, State.KeyText, Action.KeyEnd);
  text(table, on, State.Text, State.After);
  numbers(on);
  return table;
}

type On = (state: number, bytes: string, entry: number) => void;

function startValue(on: On, state: number): void {
  on(state, "{", Action.OpenObject);
  on(state, "[", Action.OpenArray);
  on(state, '"', State.Text);
  on(state, "-", State.Minus);
  on(state, "0", State.Zero);
  on(state, "123456789", State.Integer);
  let next: number = State.Literal;
  for (const word of ["true", "false", "null"]) {
    let from = state;
    for (const letter of word.slice(0, -1)) {
      on(from, letter, next);
      from = next++;
    }
    on(from, word.slice(-1), State.After);
  }
}

/** `first` is the state inside the text; the escape and its four hexadecimal digits follow it. */
function text(table: Uint8Array, on: On, first: number, end: number): void {
  table.fill(first, first * 256 + 0x20, first * 256 + 256);
  on(first, '"', end);
  on(first, "\\", first + 1);
  on(first + 1, '"\\/bfnrt', first);
  on(first + 1, "u", first + 2);
  for (let digit = 0; digit < 4; digit++) {
    on(first + 2 + digit, "0123456789abcdefABCDEF", digit === 3 ? first : first + 3 + digit);
  }
}

function numbers(on: On): void {
  on(State.Minus, "0", State.Zero);
  on(State.Minus, "123456789", State.Integer);
  on(State.Integer, "0123456789", State.Integer);
  for (const state of [State.Zero, State.Integer]) {
    on(state, ".", State.Point);
    on(state, "eE", State.ExponentMark);
  }
  for (const state of [State.Point, State.Fraction]) on(state, "0123456789", State.Fraction);
  on(State.Fraction, "eE", State.ExponentMark);
  on(State.ExponentMark, "+-", State.ExponentSign);
  for (const state of [State.ExponentMark, State.ExponentSign, State.Exponent]) on(state, "0123456789", State.Exponent);
  for (const state of [State.Zero, State.Integer, State.Fraction, State.Exponent]) {
    on(state, " \t\n\r,]}", Action.NumberEnd);
  }
}
