/** Endpoints whose body is bytes of any kind: they read it as a stream, and none of it is held in memory. */
import type { FastifyError, FastifyRequest } from "fastify";
import type { App } from "../endpoint/fastify-app.ts";
import { handleError } from "../problems/error-handler.ts";
import { Problem } from "../problems/problem.ts";
import { LONGEST_BODY_MS } from "./body-deadline.ts";

/** For the `config` of such an endpoint. */
export const mayTakeLong = { bodyWithinMs: LONGEST_BODY_MS } as const;

/** Registers endpoints for which no content type is parsed. */
export function withRawBodies(app: App, register: (app: App) => void): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.setErrorHandler(async (error: FastifyError, request, reply) => {
      // No client is left to receive it, and nothing failed here.
      const brokeOff = request.raw.destroyed && !request.raw.complete;
      const shown = brokeOff ? new Problem("bad_request", "The body broke off.", { cause: error }) : error;
      return handleError(shown as FastifyError, request, reply);
    });
    register(scope);
  });
}

/** The body as it comes. Refused at once where its head declares more than may come. */
export function rawBody(request: FastifyRequest, bytesMax: number): AsyncIterable<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > bytesMax) {
    throw new Problem("body_too_large", `The body has ${declared} bytes; at most ${bytesMax} are taken.`);
  }
  return asItComes(request);
}

export function asItComes({ raw }: FastifyRequest): AsyncIterable<Buffer> {
  // Whoever stops reading still has to respond: the connection must outlive that.
  return { [Symbol.asyncIterator]: () => raw.iterator({ destroyOnReturn: false }) };
}
