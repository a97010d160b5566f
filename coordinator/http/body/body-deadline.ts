/**
 * How long the body of a request may take to come. Node's own limit is one for all requests, and bytes that are sent
 * ahead need hours on a line that JSON bodies have minutes for: so it is set to the longest, and this cuts the rest.
 */
import type { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { respondToClientError } from "../problems/client-error.ts";
import { declaredBytes, FREE_BYTES } from "./body-budget.ts";
import { type BodyPace, PACE, watchPace } from "./body-pace.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** For an endpoint whose body may take longer than others. */
    readonly bodyWithinMs?: number;
  }
}

/** A slow line may take this long to send a complete request. */
const BODY_WITHIN_MS = 120_000;
export const LONGEST_BODY_MS = 2 * 3_600_000;

export function boundBodyTime({ raw, routeOptions }: FastifyRequest, pace: BodyPace = PACE): void {
  const hasBody = raw.headers["content-length"] !== undefined || raw.headers["transfer-encoding"] !== undefined;
  if (!hasBody || raw.complete) return;
  const cut = (): void => {
    if (!raw.complete) refuseLate(raw.socket);
  };
  const withinMs = routeOptions.config.bodyWithinMs ?? BODY_WITHIN_MS;
  // A small one has no minimum pace, and no line is so slow that it needs longer.
  const timer = setTimeout(cut, declaredBytes(raw) <= FREE_BYTES ? Math.min(withinMs, BODY_WITHIN_MS) : withinMs);
  const stopWatching = watchPace(raw, pace, cut);
  raw.once("close", () => {
    clearTimeout(timer);
    stopWatching();
  });
}

/** Whoever reads the refusal has this long; then what the body holds is released although the client stays. */
const LEAVE_WITHIN_MS = 1_000;

function refuseLate(socket: Socket): void {
  const tooSlow = new Error("the body took too long") as NodeJS.ErrnoException;
  tooSlow.code = "ERR_HTTP_REQUEST_TIMEOUT";
  respondToClientError(tooSlow, socket);
  const leave = setTimeout(() => socket.destroy(), LEAVE_WITHIN_MS);
  socket.once("close", () => clearTimeout(leave));
}
