/**
 * Names the scopes of each endpoint in the OpenAPI document, as its `requireKey` has them: any one of the listed is
 * enough, and none means any valid key.
 */
import type { RouteOptions } from "fastify";
import type { Scope } from "../../domain/access-key.ts";
import type { App } from "../app.ts";

/** Must be called before the endpoints are registered. */
export function nameScopes(app: App): void {
  app.addHook("onRoute", (route) => {
    const scopes = scopesOf(route);
    // One that says it itself takes other things than keys too.
    if (scopes === null || route.schema === undefined || route.schema.security !== undefined) return;
    route.schema = { ...route.schema, security: scopes.length === 0 ? [{ accessKey: [] }] : scopes.map(requirement) };
  });
}

function scopesOf({ onRequest }: RouteOptions): readonly Scope[] | null {
  for (const hook of [onRequest].flat()) {
    if (typeof hook === "function" && "scopes" in hook) return hook.scopes as readonly Scope[];
  }
  return null;
}

function requirement(scope: Scope): { accessKey: string[] } {
  return { accessKey: [scope] };
}
