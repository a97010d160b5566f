/**
 * Text from a server or a file may carry escape sequences that repaint or script the terminal: everything
 * that is printed goes through here.
 */
import { stripVTControlCharacters } from "node:util";

// C0 but tab and newline, DEL, C1, and the characters that reorder what is read.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text without anything that a terminal acts upon. Newlines and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replace(UNPRINTABLE, "");
}

/** The same on one line. Takes a time linear in the length of the text, as a pattern with spaces around the newline would not. */
export function printableLine(text: string): string {
  return printable(text)
    .split(/[\n\t]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")
    .join(" ");
}

/** JSON that parses to exactly `value` and that a terminal prints without acting upon it. */
export function printableJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(/[^\n]/gu, (character) =>
    UNPRINTABLE_ONE.test(character) ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : character,
  );
}

const UNPRINTABLE_ONE = new RegExp(UNPRINTABLE.source);
