/**
 * A key is checked before the body is read, and again after it: a body may take minutes, and a key that is revoked meanwhile
 * must not open anything, such as the creation of its successor.
 */
import type { preHandlerHookHandler } from "fastify";
import type { App } from "../endpoint/fastify-app.ts";
import { keyHookOf } from "./caller.ts";

/** Must be called before the endpoints are registered. */
export function recheckCallers(app: App): void {
  app.addHook("onRoute", (route) => {
    const hook = keyHookOf(route);
    if (hook === null) return;
    const recheck: preHandlerHookHandler = (request, _reply, done) => {
      if (request.body !== undefined) hook.recheck(request);
      done();
    };
    route.preHandler = [recheck, ...[route.preHandler ?? []].flat()];
  });
}
