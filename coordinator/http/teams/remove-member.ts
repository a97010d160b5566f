/**
 * DELETE /v1/teams/:id/members/:userId: removes a member, or leaves the team. What the user's keys may do in the team
 * ends with it, and so do the invitations that the user made. One owner always stays.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { type Caller, refuseUnless } from "../../auth/authorize.ts";
import { permissionOver } from "../../domain/role.ts";
import { refusals } from "../../public/refusals.ts";
import { remove, unchanged } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readMember, readOwnMembership } from "../access/find-member.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invitationsBy } from "../invitations/invitations-by.ts";
import { otherOwner } from "./other-owner.ts";

const schema = {
  operationId: "removeMember",
  summary: "Remove a member of a team, or leave it",
  description: "Any member may leave, but the last owner. Only an owner removes another owner.",
  tags: ["teams"],
  params: z.object({ id: z.string(), userId: z.string() }),
  response: { 204: z.null().describe("Removed."), ...refusals(401, 403, 404, 409, 429, 503) },
};

export function removeMember(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/teams/:id/members/:userId",
    schema,
    onRequest: requireKey(deps, "keys"),
    handler: async (request, reply) => {
      const { id: teamId, userId } = request.params;
      const key = keyOf(request);
      await takeOut(deps, key, teamId, userId);
      audit(deps.log, "member_removed", { requestId: request.id, teamId, userId, byKeyId: key.id });
      return reply.code(204).send(null);
    },
  });
}

async function takeOut(
  { store }: Pick<RecordDeps, "store">,
  caller: Caller,
  teamId: string,
  userId: string,
): Promise<void> {
  const leaves = userId === caller.userId;
  // Leaving takes no role.
  const asking: Caller = leaves ? { ...caller, permission: "read" } : caller;
  await update(store, {
    read: async () => {
      const own = await readOwnMembership(store, asking, teamId);
      const member = leaves ? own : await readMember(store, teamId, userId);
      if (!leaves) refuseUnless(own.value.role, permissionOver(member.value.role));
      // Whoever removes an owner is one who stays; an owner who leaves needs one.
      return { member, stays: leaves ? await otherOwner(store, member.value) : own };
    },
    decide: ({ member, stays }) => {
      const rests = stays === null ? [] : [unchanged("memberships", stays)];
      return [remove("memberships", member), ...invitationsBy(store, member.value), ...rests];
    },
  });
}
