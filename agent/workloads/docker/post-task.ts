/** Hands a task to a prover over HTTP and receives its response: the envelope headers, the bare input as body. */
import { Readable } from "node:stream";
import { type Dispatcher, errors } from "undici";
import type { ProverCall } from "../../domain/driver.ts";
import { readAtMost } from "./health.ts";

export type PostAnswer =
  | { readonly kind: "responded" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "garbled"; readonly message: string }
  /** The connection broke: what that means depends on how the container is. */
  | { readonly kind: "disconnected"; readonly message: string }
  /** The input could not be read or the output not be stored. */
  | { readonly kind: "broken"; readonly error: unknown };

const EVENT_TYPE = "elastic.task";
const PROBLEM_BYTES_MAX = 64 * 1024;
const MESSAGE_CHARS_MAX = 1_000;

export async function postTask(prover: Dispatcher, call: ProverCall): Promise<PostAnswer> {
  let inputError: { readonly error: unknown } | null = null;
  const streamed = (): Readable =>
    Readable.from(
      inputOf(call, (error) => {
        inputError = { error };
      }),
    );
  const body = call.input.inline ?? streamed();
  try {
    call.onCalled();
    const answer = await prover.request({
      method: "POST",
      path: "/",
      headers: {
        "ce-specversion": "1.0",
        "ce-id": call.taskId,
        "ce-source": `/v1/services/${call.serviceId}`,
        "ce-type": EVENT_TYPE,
        "content-type": "application/json",
        "content-length": `${call.input.bytes}`,
        ...(call.traceparent && { traceparent: call.traceparent }),
      },
      body,
      signal: call.signal,
    });
    return await readAnswer(answer, call);
  } catch (error) {
    if (inputError !== null) return { kind: "broken", error: (inputError as { readonly error: unknown }).error };
    return transportAnswer(error);
  }
}

/** Remembers why the input could not be read: the client would report it in its own words. */
async function* inputOf(call: ProverCall, onError: (error: unknown) => void): AsyncIterable<Buffer> {
  try {
    yield* call.input.open(call.signal);
  } catch (error) {
    onError(error);
    throw error;
  }
}

async function readAnswer({ statusCode, body }: Dispatcher.ResponseData, call: ProverCall): Promise<PostAnswer> {
  if (statusCode >= 400) {
    const message = problemMessage(await readAtMost(body, PROBLEM_BYTES_MAX));
    return { kind: "refused", message: message ?? `the prover returned ${statusCode}` };
  }
  if (statusCode !== 200) {
    // Nobody reads it, so nobody would notice that it ends before its end: that is intended, and no error.
    body.on("error", () => undefined).destroy();
    return { kind: "garbled", message: `the prover returned ${statusCode} instead of 200` };
  }
  for await (const chunk of body as AsyncIterable<Buffer>) {
    try {
      await call.output.write(chunk);
    } catch (error) {
      return { kind: "broken", error };
    }
  }
  return { kind: "responded" };
}

/** The detail of a problem document (RFC 9457), else its title, else the text. */
function problemMessage(body: Buffer): string | null {
  const text = body.toString("utf8").trim();
  if (text === "") return null;
  try {
    const problem = JSON.parse(text) as { readonly detail?: unknown; readonly title?: unknown } | null;
    const words = problem?.detail ?? problem?.title;
    if (typeof words === "string" && words !== "") return words.slice(0, MESSAGE_CHARS_MAX);
  } catch {
    // Not a document: the text itself is all there is.
  }
  return text.slice(0, MESSAGE_CHARS_MAX);
}

/** Codes of the client for a response that is none. */
const NOT_HTTP = /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/;

function transportAnswer(error: unknown): PostAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof errors.HTTPParserError)
    return { kind: "garbled", message: `the prover's response is not HTTP: ${message}` };
  if (NOT_HTTP.test(code)) return { kind: "garbled", message: `the prover's response is not HTTP: ${message}` };
  return { kind: "disconnected", message };
}
