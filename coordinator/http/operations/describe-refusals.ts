/**
 * Adds to each endpoint in the OpenAPI document the refusals that all endpoints share, and that refusals are problem
 * details: an endpoint itself lists only its own statuses, by their schema.
 */
import { STATUS_CODES } from "node:http";
import { PROBLEM_MEDIA_TYPE, problemSchema } from "../../public/problem-body.ts";
import { refusals } from "../../public/refusals.ts";
import type { App } from "../endpoint/fastify-app.ts";

/** Must be called before the endpoints are registered. */
export function describeRefusals(app: App): void {
  app.addHook("onRoute", (route) => {
    const { schema } = route;
    if (schema === undefined) return;
    // A head that is wrong, and a body in an encoding; endpoints that read none still refuse one.
    const ofAll = route.method === "GET" ? refusals(400, 415) : refusals(400, 413, 415);
    route.schema = { ...schema, response: asProblems({ ...ofAll, ...(schema.response as object) }) };
  });
}

function asProblems(responses: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const content = { [PROBLEM_MEDIA_TYPE]: { schema: problemSchema } };
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) =>
      schema === problemSchema ? [status, { description: STATUS_CODES[status], content }] : [status, schema],
    ),
  );
}
