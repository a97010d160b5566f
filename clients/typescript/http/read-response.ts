/** What a response says, in bounds: its body, or the error that it is. */
import { ProblemError } from "../errors/problem-error.ts";
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts";

/** A record holds an input of 10 MiB and a result of 8 MiB, each escaped as JSON text. */
const JSON_BYTES_MAX = 128 * 1024 * 1024;

/** The parsed body of a 2xx response; null where it has none. Everything else is thrown. */
export async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  const body = parse(new TextDecoder().decode(await readBytes(response, JSON_BYTES_MAX)));
  if (response.ok && body !== undefined) return body;
  throw rejection(response, body);
}

/** The bytes of a 2xx response, at most so many. Everything else is thrown. */
export async function readResultBytes(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (response.ok) return await readBytes(response, bytesMax);
  throw await readRejection(response);
}

/** The error that a response which is not as requested stands for. */
export async function readRejection(response: Response): Promise<Error> {
  return rejection(response, parse(new TextDecoder().decode(await readBytes(response, JSON_BYTES_MAX))));
}

function rejection({ ok, status, headers, url }: Response, body: unknown): Error {
  // A redirect is opaque in browsers: its status is 0.
  if (!ok && status >= 400) return new ProblemError({ status, headers, body });
  const place = url === "" ? "What responded" : new URL(url).origin;
  return new UnexpectedResponseError("not_the_service", `${place} is not the Elastic Proving Service.`);
}

async function readBytes(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    bytes += next.value.byteLength;
    if (bytes > bytesMax) {
      await reader?.cancel();
      throw new UnexpectedResponseError("too_large", `The response is larger than ${bytesMax} bytes.`);
    }
    chunks.push(next.value);
  }
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
