/**
 * Receives what a prover returns, checks it, and makes the task's result of it: the text of a JSON string, else the
 * JSON text as it came. Short results stay in memory; long ones go through files, with memory bounded.
 */
import { type FileHandle, open, rm } from "node:fs/promises";
import type { Span } from "@elastic/std/json/json-scanner.ts";
import type { OutputSink } from "../domain/driver.ts";
import { type AnswerSource, fileSource, memorySource } from "./answer-source.ts";
import { readEnvelope } from "./envelope.ts";
import { type JsonShape, scanShape } from "./json-shape.ts";
import { jsonTextDecoder } from "./json-text.ts";
import { NotJsonError } from "./not-json.ts";
import { OutputTooLargeError, tooLargeMessage } from "./output-too-large.ts";
import { type ResultFile, writeResult } from "./write-result.ts";

export interface CollectLimits {
  readonly resultBytesMax: number;
  /** Results up to this size stay in memory and ride in the report. */
  readonly inlineBytesMax: number;
}

/** The result, and whether it is what a JSON string said rather than JSON text. */
export type StoredResult = ({ readonly kind: "inline"; readonly text: Buffer } | ResultFile) & {
  readonly isString: boolean;
};

export type Collected =
  | StoredResult
  /** The prover says that it failed, in the original's envelope. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "bad"; readonly message: string };

export interface Collector extends OutputSink {
  /** The response is complete. `taskId` is what an envelope would name. */
  finish(taskId: string): Promise<Collected>;
  /** Forgets everything, files included. */
  discard(): Promise<void>;
}

/** Results up to this size are held in memory. */
const MEMORY_BYTES_MAX = 1024 * 1024;
/** A response may be longer than its result by quotes, escapes, blanks and an envelope. */
const ENVELOPE_BYTES = 64 * 1024;
const MESSAGE_BYTES_MAX = 4 * 1024;

/** `path` is where the result goes if it is long; `<path>.raw` holds the response meanwhile. */
export function collectResult(path: string, limits: CollectLimits): Collector {
  const rawPath = `${path}.raw`;
  const scan = scanShape();
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
        for (const earlier of chunks) await file.appendFile(earlier);
        chunks = [];
      }
      await file.appendFile(chunk);
    });
    // Whoever waits gets the error, and all do by `finish`; it is never an unhandled rejection.
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
      if (bytes > rawBytesMax) throw new OutputTooLargeError(tooLargeMessage(limits.resultBytesMax));
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
        return { kind: "bad", message: `the prover's response cannot be used: ${shape.message}` };
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
          return { kind: "bad", message: `the prover's response cannot be used: ${error.message}` };
        }
        throw error;
      }
    },
    discard,
  };
}

async function makeResult(work: {
  readonly source: AnswerSource;
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
  const { value } = reading;
  const isString = (await source.read({ start: value.start, end: value.start + 1 })).toString("latin1") === '"';
  const text = textOf(source, value, isString);
  if (reading.kind === "failed") return { kind: "failed", message: await firstBytes(text, MESSAGE_BYTES_MAX) };
  const write = async (chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<StoredResult> => ({
    ...(await writeResult(chunks, path, limits.resultBytesMax)),
    isString,
  });
  if (value.end - value.start > MEMORY_BYTES_MAX) return write(text);
  const whole = await gather(text);
  if (whole.length > limits.resultBytesMax) throw new OutputTooLargeError(tooLargeMessage(limits.resultBytesMax));
  return whole.length <= limits.inlineBytesMax ? { kind: "inline", text: whole, isString } : write([whole]);
}

/** The text of a value: of a string what it says, else the JSON itself. */
async function* textOf(source: AnswerSource, value: Span, isString: boolean): AsyncIterable<Buffer> {
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
