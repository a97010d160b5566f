import { readTraceparent } from "@elastic/std/tracing/trace-context.ts";
import type { FastifyRequest } from "fastify";

/** A header that cannot be read is as none, as the specification has it; so is one that came more than once. */
export function traceparentOf({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === "string" ? readTraceparent(traceparent) : undefined;
}
