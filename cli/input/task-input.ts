/**
 * The input of a task: JSON text that is checked here, so that the mistake is named before anything is sent,
 * and sent as the very bytes that were given.
 */
import { open, readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

/** What the service takes inline. */
export const INPUT_BYTES_MAX = 10 * 1024 * 1024;

const UNREAD: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it does not exist",
  EISDIR: "it is a directory",
  EACCES: "you are not allowed to read it",
};

export interface InputOptions {
  readonly json?: string;
  readonly file?: string;
}

export async function readTaskInput(options: InputOptions, stdin: Readable): Promise<Uint8Array> {
  const { json, file } = options;
  if (json !== undefined && file !== undefined) throw usageError("Give --json or --file, not both.");
  if (json !== undefined) return checked(Buffer.from(json), "--json");
  if (file === "-") return checked(await readBounded(stdin), "stdin");
  if (file !== undefined) return checked(await readInputFile(file), file);
  throw usageError("The input is missing.", "Give it as --json '<text>' or as --file <path>.");
}

function checked(bytes: Buffer, source: string): Buffer {
  if (bytes.byteLength > INPUT_BYTES_MAX) throw tooLarge(source);
  const problem = jsonProblem(bytes);
  if (problem !== null) throw usageError(`The input from ${source} is not JSON: ${problem}.`);
  return bytes;
}

function jsonProblem(bytes: Buffer): string | null {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : "it is not UTF-8 text";
  }
}

async function readInputFile(path: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > INPUT_BYTES_MAX) throw tooLarge(path);
      return await readFile(file);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(`Could not read ${path}: ${whyUnread(cause)}.`, { exitCode: EXIT.usage, code: "usage", cause });
  }
}

function whyUnread(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return UNREAD[code] ?? String(cause);
}

async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX) throw tooLarge("stdin");
  }
  return Buffer.concat(chunks);
}

function tooLarge(source: string): CliError {
  return usageError(`The input from ${source} is larger than ${INPUT_BYTES_MAX} bytes, the most that a task takes.`);
}
