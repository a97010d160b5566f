/** GET /v1/teams/:id/invitations: those that can still be accepted, newest first. Never their codes. */
import { z } from "zod";
import { isOpen } from "../../domain/invitation.ts";
import { invitationRecord, invitationSchema } from "../../public/invitation-record.ts";
import { cutPage, pageQuerySchema, pageSchema } from "../../public/page.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "listInvitations",
  summary: "List the open invitations into a team",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  querystring: pageQuerySchema,
  response: { 200: pageSchema(invitationSchema), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listInvitations(app: App, deps: CallerDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id/invitations",
    schema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) => {
      const { id: teamId } = request.params;
      await readOwnMembership(deps.store, keyOf(request), teamId);
      const now = deps.clock.now();
      const invitations = [...deps.store.view.invitations.values()]
        .map(({ value }) => value)
        .filter((invitation) => invitation.teamId === teamId && isOpen(invitation, now))
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return reply.send(cutPage(invitations, request.query, invitationRecord));
    },
  });
}
