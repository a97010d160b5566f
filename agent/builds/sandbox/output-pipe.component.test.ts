import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { makeOutputPipe, openOutputPipe } from "./output-pipe.ts";

const LINES = 2_000;
const CHUNKS_MAX = 500;

async function readingOf(script: string, signal: AbortSignal = new AbortController().signal) {
  const path = join(temporaryFolder(), "output");
  await makeOutputPipe(path);
  const pipe = await openOutputPipe(path);
  const program = spawn("sh", ["-c", script], { stdio: ["ignore", pipe.writer.fd, pipe.writer.fd] });
  await pipe.writer.close();
  return { program, read: (onOutput: (chunk: Buffer) => void) => pipe.read(onOutput, signal) };
}

test("reads lines that are written one by one together, in order and to the last one", async () => {
  const chunks: string[] = [];
  const { read } = await readingOf(`i=0; while [ $i -lt ${LINES} ]; do echo line $i; i=$((i + 1)); done`);
  await read((chunk) => chunks.push(chunk.toString("utf8")));
  expect(chunks.join("")).toBe(Array.from({ length: LINES }, (_, i) => `line ${i}\n`).join(""));
  expect(chunks.length).toBeLessThan(CHUNKS_MAX);
});

test("stops reading endless output when it is aborted", async () => {
  const stop = new AbortController();
  const { program, read } = await readingOf("exec yes", stop.signal);
  let bytes = 0;
  await read((chunk) => {
    bytes += chunk.length;
    if (bytes > 128 * 1024) stop.abort();
  });
  // Nobody reads any more, so the next write ends it.
  const signal = await new Promise((resolve) => program.once("close", (_, by) => resolve(by)));
  expect(signal).toBe("SIGPIPE");
});
