/** The endpoints of invitations. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { createInvitation } from "./create-invitation.ts";
import { listInvitations } from "./list-invitations.ts";
import { revokeInvitation } from "./revoke-invitation.ts";

export function invitationRoutes(app: App, deps: HttpDeps): void {
  createInvitation(app, deps);
  listInvitations(app, deps);
  revokeInvitation(app, deps);
  acceptInvitation(app, deps);
}
