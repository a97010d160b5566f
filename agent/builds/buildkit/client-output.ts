/** What buildctl writes, without its warnings about itself: those are the machine's and not the build's. Pure. */

const OWN_WARNING = /^time="[^"]*" level=warning /;
/** Found in most warnings and in few other lines. */
const WARNING_MARK = " level=warning ";
/** A longer line comes in pieces. */
const LINE_BYTES_MAX = 64 * 1024;
const NEWLINE = 0x0a;

export interface ClientOutput {
  readonly write: (chunk: Buffer) => void;
  /** Nothing more comes. */
  readonly end: () => void;
}

/** Lines that arrive together are passed together: a build may write millions of short ones. */
export function clientOutput(pass: (chunk: Buffer) => void): ClientOutput {
  let rest = Buffer.alloc(0);
  const passLines = (lines: Buffer): void => {
    const own = lines.includes(WARNING_MARK) ? withoutWarnings(lines) : lines;
    if (own.length > 0) pass(own);
  };
  return {
    write: (chunk) => {
      const all = Buffer.concat([rest, chunk]);
      const end = all.lastIndexOf(NEWLINE) + 1;
      passLines(all.subarray(0, end));
      rest = all.subarray(end);
      if (rest.length < LINE_BYTES_MAX) return;
      pass(rest);
      rest = Buffer.alloc(0);
    },
    end: () => passLines(rest),
  };
}

function withoutWarnings(lines: Buffer): Buffer {
  const own: Buffer[] = [];
  for (let start = 0; start < lines.length; ) {
    const newline = lines.indexOf(NEWLINE, start);
    const end = newline === -1 ? lines.length : newline + 1;
    if (!OWN_WARNING.test(lines.toString("utf8", start, Math.min(end, start + 64))))
      own.push(lines.subarray(start, end));
    start = end;
  }
  return Buffer.concat(own);
}
