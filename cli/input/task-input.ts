/**
 * The input of a task. Up to what the service takes inline it is read and checked here, so that the mistake is named
 * before anything is sent, and sent as the very bytes that were given; what is larger is uploaded as it is read.
 */
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { whyUnread } from "./why-unread.ts";

/** What the service takes inline. */
/** Of what goes into a request. */
export const INPUT_BYTES_MAX = 10 * 1024 * 1024;
/** And by upload. */
const UPLOAD_BYTES_MAX = 1024 * 1024 * 1024;

const EXPECTED =
  "It is one JSON text, such as '{\"n\": 1}': quoted for the shell with --json, else from --file <path> or --file - for stdin.";

export interface InputOptions {
  readonly json?: string;
  readonly file?: string;
  readonly inputUrl?: string;
  /** Upload the file, however small it is. */
  readonly upload?: boolean;
}

export type TaskInput =
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "url"; readonly url: string }
  /** `bytes` is its size where that is known. */
  | { readonly kind: "upload"; readonly source: AsyncIterable<Uint8Array>; readonly bytes: number | null };

/**
 * Throws a CliError for options that exclude each other, a file that cannot be read, text that is not JSON, and beyond
 * 1 GiB.
 */
export async function readTaskInput(options: InputOptions, stdin: Readable): Promise<TaskInput> {
  const { json, file, inputUrl: url, upload = false } = options;
  if ([json, file, url].filter((given) => given !== undefined).length > 1) {
    throw usageError("Give only one of --json, --file and --input-url.", "Leave out the others.");
  }
  if (upload && file === undefined)
    throw usageError("--upload goes with --file.", "Name the input with --file <path>.");
  if (json !== undefined) return checked(Buffer.from(json), "--json");
  if (url !== undefined) return { kind: "url", url };
  if (file === "-") return await readStdin(stdin, upload);
  if (file !== undefined) return await readInputFile(file, upload);
  throw usageError("The input is missing.", "Give it as --json '<text>', --file <path> or --input-url <url>.");
}

function checked(bytes: Buffer, source: string): TaskInput {
  if (bytes.byteLength > INPUT_BYTES_MAX) {
    throw usageError(
      `The input from ${source} is larger than ${INPUT_BYTES_MAX} bytes.`,
      "Put it in a file: `elastic task create --file <path>` uploads large ones.",
    );
  }
  if (bytes.toString().trim() === "") throw usageError(`The input from ${source} is empty.`, EXPECTED);
  const problem = jsonProblem(bytes);
  if (problem !== null) throw usageError(`The input from ${source} is not JSON: ${problem}.`, EXPECTED);
  return { kind: "inline", bytes };
}

function jsonProblem(bytes: Buffer): string | null {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : "it is not UTF-8 text";
  }
}

async function readInputFile(path: string, upload: boolean): Promise<TaskInput> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > UPLOAD_BYTES_MAX) throw tooLarge(path);
      if (upload || size > INPUT_BYTES_MAX) return { kind: "upload", source: createReadStream(path), bytes: size };
      return checked(await readFile(file), path);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(`Could not read ${path}: ${whyUnread(cause)}.`, {
      exitCode: EXIT.usage,
      code: "usage",
      next: "Name a file that holds the input as JSON, or - for stdin.",
      cause,
    });
  }
}

/** What turns out to be large is uploaded: first what was read of it, then the rest as it comes. */
async function readStdin(stdin: Readable, upload: boolean): Promise<TaskInput> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const rest: AsyncIterator<Buffer> = stdin[Symbol.asyncIterator]();
  while (!upload && bytes <= INPUT_BYTES_MAX) {
    const next = await rest.next();
    if (next.done) return checked(Buffer.concat(chunks), "stdin");
    chunks.push(next.value);
    bytes += next.value.length;
  }
  return { kind: "upload", source: together(chunks, rest), bytes: null };
}

async function* together(begun: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for (const chunk of begun) {
    bytes += chunk.length;
    yield chunk;
  }
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    bytes += next.value.length;
    if (bytes > UPLOAD_BYTES_MAX) throw tooLarge("stdin");
    yield next.value;
  }
}

function tooLarge(source: string): CliError {
  return usageError(`The input from ${source} is larger than ${UPLOAD_BYTES_MAX} bytes, the most that a task takes.`);
}
