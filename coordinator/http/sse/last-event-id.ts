/** Where a client of an event stream resumes: after the event whose id it names. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../problems/problem.ts";

const ID = /^\d{1,6}$/;

export const lastEventIdQuery = z.object({
  last_event_id: z.string().regex(ID).optional().describe("As the header Last-Event-ID, which goes before it."),
});

/** The id that a client names, whatever it is; undefined where it names none. One that reconnects sends the header. */
export function lastEventIdOf(request: FastifyRequest): unknown {
  const header = request.headers["last-event-id"];
  const { last_event_id: query } = request.query as { readonly last_event_id?: unknown };
  return header === undefined || header === "" ? query : header;
}

/** The id of the first event to send. */
export function firstEventOf(request: FastifyRequest): number {
  const named = lastEventIdOf(request);
  if (named === undefined) return 0;
  if (typeof named === "string" && ID.test(named)) return Number(named) + 1;
  throw unknownEvent();
}

export function unknownEvent(): Problem {
  const detail = "Last-Event-ID must be the id of an event of this stream; leave it out to begin at the first.";
  return new Problem("invalid_request", detail, {
    errors: [{ pointer: "last-event-id", detail: "no such event" }],
  });
}
