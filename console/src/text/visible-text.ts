/**
 * What provers, receivers and other users wrote, as text that shows all of its characters: terminal colours are left out,
 * and characters that are not seen or that reorder others are written as escapes. Pure.
 */

// CSI, OSC (to its end or the end of its line), other string sequences, and two-character escapes (ECMA-48).
const TERMINAL_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b\n]*(?:\u001b\\)?|\u001b[ -/]*[0-~]/g;

// C0 but tab and newline, DEL, C1, characters that order text from right to left, and line separators.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function visibleText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(TERMINAL_SEQUENCE, "")
    .replaceAll(UNSEEN, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** The same on one line. Takes a time linear in the length of the text, as a pattern with spaces around the newline would not. */
export function visibleLine(text: string): string {
  return visibleText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
