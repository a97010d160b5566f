/** DELETE /v1/invitations/:id */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { remove } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";

const schema = {
  operationId: "revokeInvitation",
  summary: "Revoke an invitation",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Revoked."), ...refusals(401, 403, 404, 429, 503) },
};

export function revokeInvitation(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/invitations/:id",
    schema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) => {
      const { id } = request.params;
      const caller = keyOf(request);
      const { store } = deps;
      const invitation = await readVisible(store, caller, "invitations", id);
      const { teamId } = invitation.value;
      await readOwnMembership(store, caller, teamId);
      const outcome = await store.commit([remove("invitations", invitation)]);
      // Nothing changes an invitation but its end: somebody accepted or revoked it just now.
      if (outcome.kind === "conflict") throw notFound("invitation");
      audit(deps.log, "invitation_revoked", { requestId: request.id, invitationId: id, teamId, byKeyId: caller.id });
      return reply.code(204).send(null);
    },
  });
}
