/** How bodies are read: JSON only, as the bytes that came. Each endpoint gates and reads them itself. */
import { hasRepeatedMember } from "@elastic/std/json/repeated-member.ts";
import type { FastifyRequest } from "fastify";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import { passGateNow } from "./json-gate.ts";
import { findProtoMember } from "./proto-member.ts";

const NOTHING: ReadonlySet<string> = new Set();

/** For every body but that of a new task. */
export const SMALL_BODY_BYTES_MAX = 64 * 1024;

export function takeRawJson(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const charsets = [...(request.headers["content-type"] ?? "").matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi)];
    if (charsets.some(([, charset]) => charset?.toLowerCase() !== "utf-8")) {
      done(new Problem("content_type", "JSON is UTF-8; another charset cannot be declared."), undefined);
    } else {
      done(null, body);
    }
  });
}

/** A hook: a compressed body could be a thousand times what it looks. */
export function refuseEncoding(request: FastifyRequest): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new Problem("content_encoding", "The body must be sent without Content-Encoding.");
  }
}

/** A hook of endpoints whose body a schema describes: gates it and leaves the parsed value for the schema. */
export async function parseSmallJson(request: FastifyRequest): Promise<void> {
  const body = request.body;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const outcome = passGateNow(bytes, NOTHING);
  if (outcome.kind === "refused") throw new Problem(outcome.code, sentence(outcome.detail));
  const text = bytes.toString("utf8");
  const parsed: unknown = JSON.parse(text);
  if (hasRepeatedMember(text, parsed)) throw new Problem("duplicate_key", "A key stands twice within the body.");
  const pointer = findProtoMember(parsed);
  if (pointer !== null) throw invalidRequest([{ pointer, detail: "no member may be named __proto__" }]);
  request.body = parsed;
}

export function sentence(detail: string): string {
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
}
