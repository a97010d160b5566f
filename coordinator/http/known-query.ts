/**
 * A query parameter that an endpoint does not have is refused: `limit=1` for `size=1` would otherwise
 * return what nobody requested. It is refused before the body is read.
 */
import type { FastifyContextConfig, preParsingHookHandler } from "fastify";
import { refusals } from "../public/refusals.ts";
import type { App } from "./endpoint/fastify-app.ts";
import { invalidRequest, type Problem } from "./problems/problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** For addresses that others make and add to, such as a signed link, and for health checks. */
    takesAnyQuery?: boolean;
  }
}

/** Must be called before the endpoints are registered, and before what describes them. */
export function refuseUnknownQuery(app: App): void {
  app.addHook("onRoute", (route) => {
    const { schema } = route;
    const { takesAnyQuery = false }: FastifyContextConfig = route.config ?? {};
    if (schema === undefined || takesAnyQuery) return;
    const { shape = {} } = (schema.querystring ?? {}) as { readonly shape?: object };
    const known = Object.keys(shape);
    const refuse: preParsingHookHandler = ({ query }, _reply, _payload, done) => {
      const unknown = Object.keys(query as object).filter((name) => !known.includes(name));
      done(unknown.length === 0 ? null : unknownQuery(unknown, known));
    };
    route.preParsing = [refuse, ...[route.preParsing ?? []].flat()];
    route.schema = { ...schema, response: { ...refusals(422), ...(schema.response as object) } };
  });
}

function unknownQuery(unknown: readonly string[], known: readonly string[]): Problem {
  const others = known.length === 0 ? "this endpoint has none" : `known here: ${known.join(", ")}`;
  const detail = `there is no such parameter; ${others}`;
  return invalidRequest(unknown.map((name) => ({ pointer: name, detail })));
}
