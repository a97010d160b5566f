/** The endpoints of invitations. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
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
