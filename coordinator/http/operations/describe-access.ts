/**
 * Says of each endpoint in the OpenAPI document who may call it, as its `requireKey` has it: any one of the listed
 * scopes is enough, and none means any valid key. With it come the refusals of those who may not.
 */
import type { RouteOptions } from "fastify";
import type { Scope } from "../../domain/access-key.ts";
import type { App } from "../app.ts";
import type { KeyHook } from "../caller.ts";
import { refusals } from "../wire/refusals.ts";

/** Must be called before the endpoints are registered. */
export function describeAccess(app: App): void {
  app.addHook("onRoute", (route) => {
    const hook = keyHookOf(route);
    if (hook === null || route.schema === undefined) return;
    const { scopes, unboundOnly } = hook;
    const { schema } = route;
    const { description } = schema as { readonly description?: string };
    route.schema = {
      ...schema,
      ...(unboundOnly && { description: description === undefined ? UNBOUND_ONLY : `${description} ${UNBOUND_ONLY}` }),
      // One that says it itself takes other things than keys too.
      security: schema.security ?? (scopes.length === 0 ? [{ accessKey: [] }] : scopes.map(requirement)),
      response: { ...refusals(401, 429, 503), ...(scopes.length > 0 && refusals(403)), ...(schema.response as object) },
    };
  });
}

const UNBOUND_ONLY = "A key that is bound to a team is refused (`beyond_key`).";

function keyHookOf({ onRequest }: RouteOptions): KeyHook | null {
  for (const hook of [onRequest].flat()) if (typeof hook === "function" && "scopes" in hook) return hook as KeyHook;
  return null;
}

function requirement(scope: Scope): { accessKey: string[] } {
  return { accessKey: [scope] };
}
