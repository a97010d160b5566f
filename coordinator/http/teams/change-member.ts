/**
 * PATCH /v1/teams/:id/members/:userId: gives a member another role. With a lower one the member's invitations into roles
 * that it may not give end. One owner always stays.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { type Caller, refuseUnless } from "../../auth/authorize.ts";
import { permissionOver, type Role, roleMay } from "../../domain/role.ts";
import type { Membership } from "../../domain/team.ts";
import { refusals } from "../../public/refusals.ts";
import { memberRecord, memberSchema, roleSchema } from "../../public/team-record.ts";
import { replace, unchanged } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readMember, readOwnMembership } from "../access/find-member.ts";
import { refuseBeyondScopes } from "../access/refuse-beyond-scopes.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invitationsBy } from "../invitations/invitations-by.ts";
import { otherOwner } from "./other-owner.ts";

const schema = {
  operationId: "changeMember",
  summary: "Change the role of a member",
  description: "Only an owner makes an owner, or gives one a lower role. The last owner stays an owner.",
  tags: ["teams"],
  params: z.object({ id: z.string(), userId: z.string() }),
  body: z.strictObject({ role: roleSchema }),
  response: { 200: memberSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function changeMember(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "PATCH",
    url: "/v1/teams/:id/members/:userId",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { id: teamId, userId } = request.params;
      const { role } = request.body;
      const caller = keyOf(request);
      const member = await changeRole(deps, caller, { teamId, userId, role });
      audit(deps.log, "member_changed", { requestId: request.id, teamId, userId, role, byKeyId: caller.id });
      return reply.send(memberRecord(deps.store.view, member));
    },
  });
}

interface RoleChange {
  readonly teamId: string;
  readonly userId: string;
  readonly role: Role;
}

async function changeRole(
  { store }: Pick<RecordDeps, "store">,
  caller: Caller,
  { teamId, userId, role }: RoleChange,
): Promise<Membership> {
  const isOwn = userId === caller.userId;
  refuseBeyondScopes(caller);
  const { result } = await update(store, {
    read: async () => {
      const own = await readOwnMembership(store, caller, teamId);
      const member = isOwn ? own : await readMember(store, teamId, userId);
      for (const one of [member.value.role, role]) refuseUnless(own.value.role, permissionOver(one));
      const stays = isOwn && member.value.role !== role ? await otherOwner(store, member.value) : own;
      return { member, stays };
    },
    decide: ({ member, stays }) => {
      if (member.value.role === role) return { changes: [], result: member.value };
      const changed = { ...member.value, role };
      const ended = invitationsBy(store, changed, (invited) => !roleMay(role, permissionOver(invited.role)));
      const rests = stays === null ? [] : [unchanged("memberships", stays)];
      return { changes: [replace("memberships", member, changed), ...ended, ...rests], result: changed };
    },
  });
  return result;
}
