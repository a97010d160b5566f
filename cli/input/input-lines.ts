/** The inputs of many tasks: one JSON text a line. They are sent as the very bytes that were given. */
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { BATCH_BYTES_MAX, BATCH_INPUTS_MAX } from "elastic-client/tasks/create-batch.ts";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { INPUT_BYTES_MAX } from "./task-input.ts";
import { whyUnread } from "./why-unread.ts";

const NEW_LINE = 0x0a;

export interface InputLine {
  readonly input: Buffer;
  /** Of the line, from 1. */
  readonly number: number;
}

/** Throws a CliError for what cannot be read, and for the first line that is not JSON. Empty lines are left out. */
export async function readInputLines(path: string, stdin: Readable): Promise<readonly InputLine[]> {
  const source = path === "-" ? "stdin" : path;
  const inputs = [...linesOf(await readAll(path, stdin))].flatMap(({ bytes, number }) => {
    const text = bytes.toString().trim();
    if (text === "") return [];
    refuseOther(text, `line ${number} of ${source}`);
    return [{ input: Buffer.from(text), number }];
  });
  if (inputs.length > 0) return inputs;
  throw usageError(`There are no inputs in ${source}.`, "Give a file with one JSON text a line.");
}

/** As many in each as one request takes, in their order. */
export function* inBatches(lines: readonly InputLine[]): Generator<readonly InputLine[]> {
  let batch: InputLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    const { length } = line.input;
    if (batch.length === BATCH_INPUTS_MAX || (batch.length > 0 && bytes + length > BATCH_BYTES_MAX)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(line);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}

async function readAll(path: string, stdin: Readable): Promise<Buffer> {
  if (path === "-") return Buffer.concat(await stdin.toArray());
  try {
    return await readFile(path);
  } catch (cause) {
    throw new CliError(`Could not read ${path}: ${whyUnread(cause)}.`, {
      exitCode: EXIT.usage,
      code: "usage",
      next: "Name a file that has one JSON text a line, or - for stdin.",
      cause,
    });
  }
}

function* linesOf(bytes: Buffer): Generator<{ readonly bytes: Buffer; readonly number: number }> {
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    const found = bytes.indexOf(NEW_LINE, start);
    const end = found === -1 ? bytes.length : found;
    yield { bytes: bytes.subarray(start, end), number };
    start = end + 1;
  }
}

function refuseOther(text: string, where: string): void {
  if (Buffer.byteLength(text) > INPUT_BYTES_MAX) {
    throw usageError(
      `The input in ${where} is larger than ${INPUT_BYTES_MAX} bytes. Nothing was created.`,
      "Take it out, and put it in a file: `elastic task create --file <path>` uploads large ones.",
    );
  }
  try {
    JSON.parse(text);
  } catch (error) {
    throw usageError(
      `The input in ${where} is not JSON: ${(error as Error).message}. Nothing was created.`,
      "Give one JSON text a line, such as '{\"n\": 1}'.",
    );
  }
}
