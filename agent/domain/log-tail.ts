/** The end of what a prover wrote, in bounded memory. */

export interface LogTail {
  append(chunk: Buffer): void;
  /** A place in the log, to read later what came after it. */
  mark(): number;
  /** At most `bytesMax` of the end, of what came after `mark`, as text. */
  since(mark: number, bytesMax: number): string;
}

export function logTail(retainedBytesMax: number): LogTail {
  let chunks: Buffer[] = [];
  let retainedBytes = 0;
  let totalBytes = 0;
  return {
    append: (chunk) => {
      chunks.push(chunk);
      retainedBytes += chunk.length;
      totalBytes += chunk.length;
      if (retainedBytes <= 2 * retainedBytesMax) return;
      chunks = [Buffer.concat(chunks).subarray(-retainedBytesMax)];
      retainedBytes = retainedBytesMax;
    },
    mark: () => totalBytes,
    since: (mark, bytesMax) => tailText(Buffer.concat(chunks), Math.min(totalBytes - mark, bytesMax)),
  };
}

/** The last `bytesMax` bytes as text, without the rest of a character that was cut. */
export function tailText(log: Buffer, bytesMax: number): string {
  if (bytesMax <= 0) return "";
  let start = Math.max(0, log.length - bytesMax);
  while (start > 0 && start < log.length && ((log[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return log.subarray(start).toString("utf8");
}
