/**
 * A query parameter that an endpoint does not have is refused: `limit=1` for `size=1` would else answer with what
 * nobody asked for. Said before the body is read.
 */
import type { FastifyContextConfig, preParsingHookHandler } from "fastify";
import type { App } from "./app.ts";
import { invalidRequest } from "./problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** For addresses that others make and add to, such as a signed link. */
    takesAnyQuery?: boolean;
  }
}

/** Must be called before the endpoints are registered. Those that have no parameters at all look at none. */
export function refuseUnknownQuery(app: App): void {
  app.addHook("onRoute", (route) => {
    const { shape } = (route.schema?.querystring ?? {}) as { readonly shape?: object };
    const { takesAnyQuery = false }: FastifyContextConfig = route.config ?? {};
    if (shape === undefined || takesAnyQuery) return;
    const known = Object.keys(shape);
    const refuse: preParsingHookHandler = (request, _reply, _payload, done) => {
      const unknown = Object.keys(request.query as object).filter((name) => !known.includes(name));
      const detail = `there is no such parameter; ${known.length === 1 ? "the only one is" : "there are"} ${known.join(", ")}`;
      done(
        unknown.length === 0
          ? null
          : invalidRequest(unknown.map((name) => ({ pointer: `querystring/${name}`, detail }))),
      );
    };
    route.preParsing = [refuse, ...[route.preParsing ?? []].flat()];
  });
}
