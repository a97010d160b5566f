/** The inside of a JSON string in UTF-8, as rows of the table in json-grammar.ts. */

/** Sets the entry of the table for each of these bytes in a state. */
export type On = (state: number, bytes: Iterable<number> | string, entry: number) => void;

/** Counted from the state that stands inside the text. */
const Part = {
  Plain: 0,
  Escape: 1,
  /** Four of them. */
  Hex: 2,
  /** One, two or three bytes of a character are still to come. */
  Tail1: 6,
  Tail2: 7,
  Tail3: 8,
  /** The first byte bounds the second more closely than the rest (Unicode 17, table 3-7). */
  AfterE0: 9,
  AfterEd: 10,
  AfterF0: 11,
  AfterF4: 12,
} as const;

/** How many states a text takes. */
export const TEXT_STATES = 13;

/** `first` is the state inside the text, `end` the entry for the quote that ends it. */
export function addText(on: On, row: (state: number) => number, first: number, end: number): void {
  const to = (part: number) => row(first + part);
  on(first, bytes(0x20, 0x7f), to(Part.Plain));
  on(first, '"', end);
  on(first, "\\", to(Part.Escape));
  on(first + Part.Escape, '"\\/bfnrt', to(Part.Plain));
  on(first + Part.Escape, "u", to(Part.Hex));
  for (let digit = 0; digit < 4; digit++) {
    on(first + Part.Hex + digit, "0123456789abcdefABCDEF", digit === 3 ? to(Part.Plain) : to(Part.Hex + digit + 1));
  }
  on(first, bytes(0xc2, 0xdf), to(Part.Tail1));
  on(first, bytes(0xe1, 0xef), to(Part.Tail2));
  on(first, bytes(0xf1, 0xf3), to(Part.Tail3));
  on(first, [0xe0], to(Part.AfterE0));
  on(first, [0xed], to(Part.AfterEd));
  on(first, [0xf0], to(Part.AfterF0));
  on(first, [0xf4], to(Part.AfterF4));
  on(first + Part.Tail1, bytes(0x80, 0xbf), to(Part.Plain));
  on(first + Part.Tail2, bytes(0x80, 0xbf), to(Part.Tail1));
  on(first + Part.Tail3, bytes(0x80, 0xbf), to(Part.Tail2));
  on(first + Part.AfterE0, bytes(0xa0, 0xbf), to(Part.Tail1));
  on(first + Part.AfterEd, bytes(0x80, 0x9f), to(Part.Tail1));
  on(first + Part.AfterF0, bytes(0x90, 0xbf), to(Part.Tail2));
  on(first + Part.AfterF4, bytes(0x80, 0x8f), to(Part.Tail2));
}

/** What is wrong with a byte that the table refuses in the state `part` of a text. */
export function faultInText(part: number, byte: number): "control-character" | "escape" | "not-utf8" {
  if (part === Part.Plain) return byte < 0x20 ? "control-character" : "not-utf8";
  return part < Part.Tail1 ? "escape" : "not-utf8";
}

function bytes(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
