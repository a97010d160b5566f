/** The endpoints of join tokens. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { createJoinToken } from "./create-join-token.ts";
import { listJoinTokens } from "./list-join-tokens.ts";
import { revokeJoinToken } from "./revoke-join-token.ts";

export function joinTokenRoutes(app: App, deps: HttpDeps): void {
  createJoinToken(app, deps);
  listJoinTokens(app, deps);
  revokeJoinToken(app, deps);
}
