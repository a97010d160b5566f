/** Sends a generated request byte for byte, as no client library would. */
import type { Described } from "./api-document.ts";
import { type CallResponse, callRaw } from "./call.ts";
import type { GeneratedRequest } from "./request-arbitrary.ts";
import { fill, type TenantThings } from "./tenant-things.ts";

export interface Sender {
  readonly url: string;
  readonly key: string;
  readonly own: TenantThings;
  readonly other: TenantThings;
}

export interface Sent {
  readonly response: CallResponse;
  readonly path: string;
}

export async function sendGenerated(to: Sender, described: Described, request: GeneratedRequest): Promise<Sent> {
  const things = {
    ...to.own,
    ...Object.fromEntries(Object.entries(to.other).map(([noun, id]) => [`other:${noun}`, id])),
  };
  // A generated text may hold any braces: only those around a name that is known stand for an id.
  const written = (text: string): string =>
    Object.entries(things).reduce((so, [noun, id]) => so.replaceAll(`{${noun}}`, () => id), text);
  const ids = Object.fromEntries(
    Object.entries(request.ids).map(([noun, id]) => [noun, encodeURIComponent(written(id).toWellFormed())]),
  );
  const path = fill(described, { ...to.own, ...ids });
  const query = new URLSearchParams(
    request.query.map(([name, value]): [string, string] => [name, written(value)]),
  ).toString();
  const body = request.body === null ? null : Buffer.from(written(request.body.text), request.body.encoding);
  const type = Object.keys(described.operation.requestBody?.content ?? { "application/json": {} })[0] ?? "";
  const lines = [
    `${request.method} ${path}${query === "" ? "" : `?${query}`} HTTP/1.1`,
    "host: x",
    "connection: close",
    `x-api-key: ${to.key}`,
    ...(body === null ? [] : [`content-length: ${body.length}`]),
    ...(body === null || request.headers.some(([name]) => name === "content-type") ? [] : [`content-type: ${type}`]),
    ...request.headers.map(([name, value]) => `${name}: ${written(value)}`),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return { response: await callRaw(to.url, Buffer.concat([head, body ?? Buffer.alloc(0)])), path };
}
