/** Bytes that come little by little, as text that a terminal prints and never acts upon. */
import { printable } from "./printable.ts";

/** A line that has no end is printed in parts. */
const LINE_CHARS_MAX = 64 * 1024;

export interface PrintableStream {
  /** What can be printed by now: complete lines. */
  take(bytes: Uint8Array): string;
  /** The rest, which no newline ended. */
  end(): string;
}

/** Cut at newlines, so that neither a character nor an escape sequence is looked at in halves. */
export function printableStream(): PrintableStream {
  let decoder = new TextDecoder();
  let rest = "";
  const upTo = (end: number): string => {
    const text = printable(rest.slice(0, end));
    rest = rest.slice(end);
    return text;
  };
  return {
    take: (bytes) => {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.lastIndexOf("\n") + 1;
      return upTo(lines > 0 || rest.length < LINE_CHARS_MAX ? lines : rest.length);
    },
    end: () => {
      rest += decoder.decode();
      decoder = new TextDecoder();
      return upTo(rest.length);
    },
  };
}
