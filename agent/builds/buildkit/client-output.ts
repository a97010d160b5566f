/** What buildctl writes, line by line, without its warnings about itself: those are the machine's and not the build's. Pure. */

const OWN_WARNING = /^time="[^"]*" level=warning /;
/** A line that is longer goes on in pieces. */
const LINE_BYTES_MAX = 64 * 1024;
const NEWLINE = 0x0a;

export interface ClientOutput {
  readonly write: (chunk: Buffer) => void;
  /** Nothing more comes. */
  readonly end: () => void;
}

export function clientOutput(pass: (chunk: Buffer) => void): ClientOutput {
  let rest = Buffer.alloc(0);
  const passLine = (line: Buffer): void => {
    if (line.length > 0 && !OWN_WARNING.test(line.toString("utf8", 0, 64))) pass(line);
  };
  return {
    write: (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
        passLine(rest.subarray(0, end + 1));
        rest = rest.subarray(end + 1);
      }
      if (rest.length < LINE_BYTES_MAX) return;
      pass(rest);
      rest = Buffer.alloc(0);
    },
    end: () => passLine(rest),
  };
}
