/** The operation of a request, as the OpenAPI document names it; empty for a path that is none. */
import type { FastifyRequest, FastifySchema } from "fastify";

export function operationIdOf({ routeOptions }: Pick<FastifyRequest, "routeOptions">): string {
  const { operationId = "" } = (routeOptions.schema ?? {}) as FastifySchema & { readonly operationId?: string };
  return operationId;
}
