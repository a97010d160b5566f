/**
 * Says of each endpoint in the OpenAPI document who may call it, as its `requireKey` has it: any one of the listed
 * scopes is enough, and none means any valid key; and which role in the team it takes. With it come the refusals of
 * those who may not.
 */
import type { Scope } from "../../domain/access-key.ts";
import { roleFor } from "../../domain/role.ts";
import { refusals } from "../../public/refusals.ts";
import { keyHookOf } from "../access/caller.ts";
import { permissionOfOperation } from "../access/permission.ts";
import type { App } from "../endpoint/fastify-app.ts";

/** Must be called before the endpoints are registered. */
export function describeAccess(app: App): void {
  app.addHook("onRoute", (route) => {
    const hook = keyHookOf(route);
    if (hook === null || route.schema === undefined) return;
    const { scopes, unboundOnly } = hook;
    const { schema } = route;
    const described = schema as { readonly description?: string; readonly operationId?: string };
    const sentences = [
      described.description,
      unboundOnly ? UNBOUND_ONLY : undefined,
      roleSentence(String(route.method), described.operationId ?? ""),
    ].filter((sentence) => sentence !== undefined);
    route.schema = {
      ...schema,
      ...(sentences.length > 0 && { description: sentences.join(" ") }),
      // One that says it itself takes other things than keys too.
      security: schema.security ?? (scopes.length === 0 ? [{ accessKey: [] }] : scopes.map(requirement)),
      response: { ...refusals(401, 429, 503), ...(scopes.length > 0 && refusals(403)), ...(schema.response as object) },
    };
  });
}

const UNBOUND_ONLY = "A key that is bound to a team is refused (`beyond_key`).";

/** Nothing for what every role may do. */
function roleSentence(method: string, operationId: string): string | undefined {
  const permission = permissionOfOperation(method, operationId);
  if (permission === null || permission === "read") return undefined;
  const role = roleFor(permission);
  return `Takes the role \`${role}\`${role === "owner" ? "" : " or a higher one"} in the team (\`role_missing\`).`;
}

function requirement(scope: Scope): { accessKey: string[] } {
  return { accessKey: [scope] };
}
