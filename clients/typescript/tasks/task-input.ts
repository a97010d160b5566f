/** What a prover is given, and how it gets to the service: in the request, sent ahead, or fetched by the service. */

/** What the service takes inline. */
const INLINE_BYTES_MAX: number = 10 * 1024 * 1024;

/** JSON text whose bytes are passed on as they are, so that integers beyond 2^53 survive. */
class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Fetched by the service. */
class InputUrl {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }
}

export type { InputUrl, JsonText };

/** The input is the value that `text` is the JSON of. Its bytes reach the prover unchanged. */
export function jsonText(text: string): JsonText {
  return new JsonText(text);
}

/** The service fetches the input, of at most 1 GiB, from a public address. */
export function inputUrl(url: string): InputUrl {
  return new InputUrl(url);
}

/**
 * A value that `JSON.stringify` takes; or bytes that are JSON text already: a `Uint8Array`, a `Blob`, such as a file, or
 * a stream. Beyond 10 MiB, and always for a blob and a stream, they are uploaded ahead of the task.
 */
export type TaskInput =
  | JsonText
  | InputUrl
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | JsonValue
  | readonly unknown[]
  | object;

type JsonValue = string | number | boolean | null;

export type PreparedInput =
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "upload"; readonly body: Uint8Array | Blob | ReadableStream<Uint8Array> };

/** Throws a TypeError for what has no JSON text. */
export function prepareInput(input: TaskInput): PreparedInput {
  if (input instanceof InputUrl) return { kind: "url", url: input.url };
  if (input instanceof Blob || input instanceof ReadableStream) return { kind: "upload", body: input };
  const bytes = input instanceof Uint8Array ? input : new TextEncoder().encode(textOf(input));
  return bytes.byteLength > INLINE_BYTES_MAX ? { kind: "upload", body: bytes } : { kind: "inline", bytes };
}

/** For where nothing else can be. Throws a TypeError for what would be fetched or uploaded. */
export function inlineInput(input: TaskInput): Uint8Array {
  const prepared = prepareInput(input);
  if (prepared.kind === "inline") return prepared.bytes;
  throw new TypeError("an input of a batch is at most 10 MiB of JSON: create a single task for others");
}

function textOf(input: unknown): string {
  if (input instanceof JsonText) return input.text;
  const text: string | undefined = JSON.stringify(input);
  if (text === undefined) throw new TypeError("the input has no JSON text");
  return text;
}
