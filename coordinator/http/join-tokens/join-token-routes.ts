/** The endpoints of join tokens. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { createJoinToken, type EnrollmentDeps } from "./create-join-token.ts";
import { listJoinTokens } from "./list-join-tokens.ts";
import { revokeJoinToken } from "./revoke-join-token.ts";

export function joinTokenRoutes(app: App, deps: CallerDeps & RecordDeps & EnrollmentDeps): void {
  createJoinToken(app, deps);
  listJoinTokens(app, deps);
  revokeJoinToken(app, deps);
}
