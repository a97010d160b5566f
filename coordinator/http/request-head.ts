/** What is checked of every request's head, and the id that follows it through every log line. */
import type { IncomingMessage } from "node:http";
import { newId } from "@elastic/std/ids.ts";
import { Problem } from "./problems/problem.ts";

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._:-]{1,64}$/;

/** Headers that mean one thing: a second one is a way to make two readers of a request disagree. */
const SINGLE = new Set([
  "host",
  "x-api-key",
  "x-team",
  "cookie",
  "origin",
  "x-request-id",
  "content-length",
  "content-type",
  "content-encoding",
  "transfer-encoding",
  "authorization",
  "idempotency-key",
]);

/** The client's id where it is one, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID_PATTERN.test(given) ? given : newId(Date.now());
}

/** What Node lets through, and another reader of the same request could take for something else. */
export function refuseOddHead({ headers, httpVersion, url }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === "1.1")
    throw new Problem("bad_request", "The header host is missing.");
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    throw new Problem(
      "bad_request",
      "The body must be sent without Transfer-Encoding, or with chunked and nothing else.",
    );
  }
  if (coding !== undefined && httpVersion !== "1.1")
    throw new Problem("bad_request", "Transfer-Encoding came with HTTP/1.1; an older request has a Content-Length.");
  if (url?.includes("#")) throw new Problem("bad_request", "The request target must not have a fragment.");
}

export function refuseDuplicates({ rawHeaders }: IncomingMessage): void {
  let seen: string[] | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen?.includes(name)) throw new Problem("duplicate_header", `The header ${name} stands twice in the request.`);
    seen ??= [];
    seen.push(name);
  }
}
