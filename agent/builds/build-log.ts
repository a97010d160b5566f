/** What a build writes, on its way to its log: bounded, with its end available for the failure. */
import { BuildFailure } from "../domain/build-failure.ts";

export interface BuildLog {
  readonly write: (chunk: Buffer) => void;
  /** A line of the agent's own. */
  note(line: string): void;
  /** The last of what was written. */
  tail(): string;
}

const TAIL_BYTES = 16 * 1024;

export interface BuildLogOptions {
  readonly bytesMax: number;
  readonly append: (chunk: Buffer) => void;
  /** Called once, with why, when the build has written too much. */
  readonly onFull: (why: BuildFailure) => void;
}

export function buildLog({ bytesMax, append, onFull }: BuildLogOptions): BuildLog {
  let bytes = 0;
  const recent: Buffer[] = [];
  let recentBytes = 0;
  const write = (chunk: Buffer): void => {
    const isFull = bytes > bytesMax;
    bytes += chunk.length;
    if (isFull) return;
    append(chunk);
    recent.push(chunk);
    recentBytes += chunk.length;
    while (recentBytes - (recent[0]?.length ?? 0) >= TAIL_BYTES) recentBytes -= recent.shift()?.length ?? 0;
    if (bytes > bytesMax)
      onFull(new BuildFailure("log_limit", `the build wrote more than ${bytesMax} bytes to its log`));
  };
  return {
    write,
    note: (line) => write(Buffer.from(`[elastic] ${line}\n`)),
    tail: () => Buffer.concat(recent).subarray(-TAIL_BYTES).toString("utf8"),
  };
}
