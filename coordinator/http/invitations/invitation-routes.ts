/** The endpoints of invitations. */
import type { CallerDeps } from "../caller.ts";
import type { App } from "../fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import type { RecordDeps } from "../record-deps.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { createInvitation } from "./create-invitation.ts";
import { listInvitations } from "./list-invitations.ts";
import { revokeInvitation } from "./revoke-invitation.ts";

export function invitationRoutes(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  createInvitation(app, deps);
  listInvitations(app, deps);
  revokeInvitation(app, deps);
  acceptInvitation(app, deps);
}
