/** The grammar of a JSON number (RFC 8259, 6), byte by byte. */

export type NumberState =
  | "minus"
  | "zero"
  | "digits"
  | "point"
  | "fraction"
  | "exponent"
  | "exponent-sign"
  | "exponent-digits";

const MAY_END = new Set<NumberState>(["zero", "digits", "fraction", "exponent-digits"]);

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;

/** The state after the first byte, or null when no number starts with it. */
export function beginNumber(byte: number): NumberState | null {
  if (byte === 0x2d) return "minus";
  if (byte === ZERO) return "zero";
  return byte > ZERO && byte <= NINE ? "digits" : null;
}

/** The next state within a number, or null when the byte is not part of it. */
export function continueNumber(state: NumberState, byte: number): NumberState | null {
  const digit = byte >= ZERO && byte <= NINE;
  const exponent = byte === 0x65 || byte === 0x45;
  switch (state) {
    case "minus":
      return beginNumber(byte === 0x2d ? 0 : byte);
    case "zero":
      return byte === POINT ? "point" : exponent ? "exponent" : null;
    case "digits":
      return digit ? "digits" : byte === POINT ? "point" : exponent ? "exponent" : null;
    case "point":
      return digit ? "fraction" : null;
    case "fraction":
      return digit ? "fraction" : exponent ? "exponent" : null;
    case "exponent":
      return digit ? "exponent-digits" : byte === 0x2b || byte === 0x2d ? "exponent-sign" : null;
    case "exponent-sign":
    case "exponent-digits":
      return digit ? "exponent-digits" : null;
  }
}

export function mayEndNumber(state: NumberState): boolean {
  return MAY_END.has(state);
}
