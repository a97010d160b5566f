/**
 * The registry that exists within a sandbox only: base images, to read. It responds from the site's own registry with
 * the build's grant, which stays here, and then from a pull-through mirror where the operator has one.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "@elastic/std/log.ts";
import type { LocalHost } from "../../egress/allow-proxy.ts";
import { parseHttpUrl } from "../../egress/destination.ts";
import type { RegistryClient } from "./registry-client.ts";

export interface BaseImagesOptions {
  /** Queried in order, until one has what is requested. */
  readonly registries: readonly RegistryClient[];
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Names of repositories, and what of them may be read. */
const READABLE = /^\/v2\/[a-z0-9]+(?:[._/-]+[a-z0-9]+)*\/(?:manifests|blobs)\/[A-Za-z0-9_][A-Za-z0-9._:-]*$/;
const PASSED_UP = ["accept", "range"];
const PASSED_DOWN = ["content-type", "content-length", "content-range", "docker-content-digest"];

export function baseImages(options: BaseImagesOptions): LocalHost {
  return (request, answer) => {
    void respond(options, request, answer).catch((error: unknown) => {
      options.log.info({ err: error }, "a base image could not be read");
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502, { "content-type": "text/plain" }).end("no registry responds\n");
    });
  };
}

async function respond(
  { registries, signal }: BaseImagesOptions,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const path = parseHttpUrl(request.url ?? "")?.path.split("?")[0] ?? "";
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return void answer.writeHead(405).end();
  if (path === "/v2/") return void answer.writeHead(200, { "content-type": "application/json" }).end("{}");
  if (!READABLE.test(path)) return void answer.writeHead(404).end();
  const gone = new AbortController();
  answer.once("close", () => gone.abort());
  const within = AbortSignal.any([signal, gone.signal]);
  const headers = Object.fromEntries(
    PASSED_UP.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
  );
  for (const registry of registries) {
    const found = await followed(await registry.send({ method, path, headers, signal: within }), method, within);
    if (found.ok) return await passOn(found, answer);
    await found.body?.cancel();
  }
  answer.writeHead(404).end();
}

/** A registry may keep its blobs elsewhere; its token is not for there. */
async function followed(response: Response, method: string, signal: AbortSignal): Promise<Response> {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status >= 400 || location === null) return response;
  await response.body?.cancel();
  return await fetch(new URL(location, response.url), { method, redirect: "error", signal });
}

async function passOn(response: Response, answer: ServerResponse): Promise<void> {
  const headers = PASSED_DOWN.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  answer.writeHead(response.status, Object.fromEntries(headers));
  if (response.body === null) return void answer.end();
  await pipeline(Readable.fromWeb(response.body as never), answer);
}
