/**
 * Takes what a prover answers, checks it, and makes the task's result of it: the text of a JSON string, else the
 * JSON text as it came. Short answers stay in memory; long ones go through files, with memory bounded.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { OutputSink } from "../workloads/driver.ts";
import { readEnvelope } from "./envelope.ts";
import { JsonScan, type JsonShape, type Span } from "./json-scan.ts";
import { jsonTextDecoder } from "./json-text.ts";
import { NotJsonError } from "./not-json.ts";
import { OutputTooLargeError } from "./output-too-large.ts";

export interface CollectLimits {
  readonly resultBytesMax: number;
  /** Results up to this size stay in memory and ride in the report. */
  readonly inlineBytesMax: number;
}

export type Collected =
  | { readonly kind: "inline"; readonly text: Buffer }
  | { readonly kind: "file"; readonly path: string; readonly bytes: number; readonly sha256: string }
  /** The prover says that it failed, in the original's envelope. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "bad"; readonly message: string };

export interface Collector extends OutputSink {
  /** The whole answer has come. `taskId` is what an envelope would name. */
  finish(taskId: string): Promise<Collected>;
  /** Forgets everything, files included. */
  discard(): Promise<void>;
}

/** Answers up to this size are held in memory. */
const MEMORY_BYTES_MAX = 1024 * 1024;
const READ_BYTES = 256 * 1024;
/** An answer may be longer than its result by quotes, escapes, blanks and an envelope. */
const ENVELOPE_BYTES = 64 * 1024;
const MESSAGE_BYTES_MAX = 4 * 1024;

/** `path` is where the result goes if it is long; `<path>.raw` holds the answer meanwhile. */
export function collectResult(path: string, limits: CollectLimits): Collector {
  const rawPath = `${path}.raw`;
  const scan = new JsonScan();
  const rawBytesMax = 2 * limits.resultBytesMax + ENVELOPE_BYTES;
  let chunks: Buffer[] = [];
  let bytes = 0;
  let file: FileHandle | null = null;
  let notJson: NotJsonError | null = null;
  let spilled: Promise<void> = Promise.resolve();

  /** One after the other, in the order they came: whoever writes need not wait for each. */
  const spill = (chunk: Buffer): Promise<void> => {
    spilled = spilled.then(async () => {
      if (file === null) {
        file = await open(rawPath, "w+", 0o600);
        for (const kept of chunks) await file.appendFile(kept);
        chunks = [];
      }
      await file.appendFile(chunk);
    });
    // Told to whoever waits, and by `finish` to all; never an unhandled rejection.
    spilled.catch(() => undefined);
    return spilled;
  };

  const finishShape = (): JsonShape | NotJsonError => {
    if (notJson !== null) return notJson;
    try {
      return scan.end();
    } catch (error) {
      if (error instanceof NotJsonError) return error;
      throw error;
    }
  };

  const discard = async (): Promise<void> => {
    await spilled.catch(() => undefined);
    await file?.close();
    file = null;
    await rm(rawPath, { force: true });
    await rm(path, { force: true });
  };

  return {
    write: (chunk) => {
      bytes += chunk.length;
      if (bytes > rawBytesMax) throw new OutputTooLargeError(tooLarge(limits));
      if (notJson !== null) return undefined;
      try {
        scan.push(chunk);
      } catch (error) {
        if (!(error instanceof NotJsonError)) throw error;
        notJson = error;
        return undefined;
      }
      if (file !== null || bytes > MEMORY_BYTES_MAX) return spill(chunk);
      chunks.push(chunk);
      return undefined;
    },
    finish: async (taskId) => {
      await spilled;
      const shape = finishShape();
      if (shape instanceof NotJsonError) {
        await discard();
        return { kind: "bad", message: `the prover's answer cannot be used: ${shape.message}` };
      }
      const source = file === null ? memorySource(Buffer.concat(chunks)) : fileSource(file);
      try {
        const collected = await makeResult({ source, shape, taskId, path, limits });
        if (file !== null) {
          await file.close();
          file = null;
          await rm(rawPath, { force: true });
        }
        return collected;
      } catch (error) {
        await discard();
        if (error instanceof NotJsonError || error instanceof OutputTooLargeError) {
          return { kind: "bad", message: `the prover's answer cannot be used: ${error.message}` };
        }
        throw error;
      }
    },
    discard,
  };
}

/** Where the bytes of the answer are read from again. */
interface Source {
  read(span: Span): Buffer | Promise<Buffer>;
  stream(span: Span): Iterable<Buffer> | AsyncIterable<Buffer>;
}

function memorySource(whole: Buffer): Source {
  return {
    read: ({ start, end }) => whole.subarray(start, end),
    stream: ({ start, end }) => [whole.subarray(start, end)],
  };
}

function fileSource(file: FileHandle): Source {
  const read = async ({ start, end }: Span): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    if (bytesRead !== buffer.length) throw new Error("the kept answer is shorter than what was written to it");
    return buffer;
  };
  return {
    read,
    stream: async function* ({ start, end }) {
      for (let at = start; at < end; at += READ_BYTES)
        yield await read({ start: at, end: Math.min(end, at + READ_BYTES) });
    },
  };
}

async function makeResult(work: {
  readonly source: Source;
  readonly shape: JsonShape;
  readonly taskId: string;
  readonly path: string;
  readonly limits: CollectLimits;
}): Promise<Collected> {
  const { source, shape, taskId, path, limits } = work;
  const reading = await readEnvelope(shape, taskId, source.read);
  if (reading.kind === "unknown-status") {
    throw new NotJsonError(`its envelope has the status ${reading.status}, which is neither 2 nor 3`);
  }
  const text = textOf(source, reading.value);
  if (reading.kind === "failed") return { kind: "failed", message: await firstBytes(text, MESSAGE_BYTES_MAX) };
  if (reading.value.end - reading.value.start > MEMORY_BYTES_MAX) return writeResult(text, path, limits);
  const whole = await gather(text);
  if (whole.length > limits.resultBytesMax) throw new OutputTooLargeError(tooLarge(limits));
  return whole.length <= limits.inlineBytesMax ? { kind: "inline", text: whole } : writeResult([whole], path, limits);
}

/** The text of a value: of a string what it says, else the JSON itself. */
async function* textOf(source: Source, value: Span): AsyncIterable<Buffer> {
  const isString = (await source.read({ start: value.start, end: value.start + 1 })).toString("latin1") === '"';
  if (!isString) {
    yield* source.stream(value);
    return;
  }
  const decoder = jsonTextDecoder();
  for await (const chunk of source.stream({ start: value.start + 1, end: value.end - 1 })) yield decoder.push(chunk);
  decoder.end();
}

async function gather(text: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of text) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

async function firstBytes(text: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of text) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString("utf8");
}

/** Durable when it resolves: temporary file, fsync, rename. */
async function writeResult(
  text: Iterable<Buffer> | AsyncIterable<Buffer>,
  path: string,
  limits: CollectLimits,
): Promise<Collected> {
  const hash = createHash("sha256");
  const temporary = `${path}.part`;
  const file = await open(temporary, "w", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of text) {
      bytes += chunk.length;
      if (bytes > limits.resultBytesMax) throw new OutputTooLargeError(tooLarge(limits));
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
  return { kind: "file", path, bytes, sha256: hash.digest("hex") };
}

function tooLarge(limits: CollectLimits): string {
  return `it is larger than the ${limits.resultBytesMax} bytes a result may have`;
}
