/**
 * A pipe for what a program writes, read twenty times a second and not whenever something comes: what writes without
 * end, a line at a time, waits in the full pipe, and costs the agent little. The agent shares the machine with proofs.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pause } from "@elastic/std/pause.ts";
import { runProgram } from "./run-program.ts";

const READ_EVERY_MS = 50;
/** Of a pipe as Linux makes it: all that has come since the last time. */
const PIPE_BYTES = 64 * 1024;

export interface OutputPipe {
  /** For the program; whoever started it closes this one. */
  readonly writer: FileHandle;
  /** Resolves when no process has the writer any more, or the signal aborts. */
  read(onOutput: (chunk: Buffer) => void, signal: AbortSignal): Promise<void>;
}

export async function makeOutputPipe(path: string): Promise<void> {
  await runProgram("mkfifo", ["--mode=0600", path]);
}

/** Of a pipe that nobody has open. */
export async function openOutputPipe(path: string): Promise<OutputPipe> {
  const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = await open(path, constants.O_WRONLY);
  return {
    writer,
    read: async (onOutput, signal) => {
      try {
        while (!signal.aborted) {
          const chunk = await readWhatCame(reader);
          if (chunk?.length === 0) return;
          if (chunk !== null) onOutput(chunk);
          await pause(READ_EVERY_MS, signal);
        }
      } finally {
        await reader.close();
      }
    },
  };
}

/** Empty at the end; null where nothing came. */
async function readWhatCame(reader: FileHandle): Promise<Buffer | null> {
  try {
    const { buffer, bytesRead } = await reader.read(Buffer.alloc(PIPE_BYTES), 0, PIPE_BYTES, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return null;
    throw error;
  }
}
