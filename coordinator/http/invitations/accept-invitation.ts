/**
 * POST /v1/invitations/accept: the caller's user joins the team of the code. A code works once, and only while
 * whoever made it may give the role that it has.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Membership } from "../../domain/team.ts";
import { refusals } from "../../public/refusals.ts";
import { teamRecord, teamSchema } from "../../public/team-record.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { countHeld } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { Problem } from "../problems/problem.ts";
import { acceptedBy, readInvitation } from "./find-invitation.ts";

const schema = {
  operationId: "acceptInvitation",
  summary: "Join a team by an invitation",
  tags: ["teams"],
  body: z.strictObject({ code: z.string() }),
  response: { 200: teamSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function acceptInvitation(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  app.route({
    method: "POST",
    url: "/v1/invitations/accept",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const joined = await join(deps, caller, request.body.code);
      const { teamId, userId, role } = joined;
      audit(deps.log, "member_added", { requestId: request.id, teamId, userId, role, byKeyId: caller.id });
      const team = teamRecord(deps.store.view, caller, joined);
      if (team === null) throw new Error(`team ${teamId} of an invitation is not there`);
      return reply.send(team);
    },
  });
}

async function join(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  caller: AccessKey,
  code: string,
): Promise<Membership> {
  const { invitation } = await readInvitation(store, code, clock.now());
  const { teamId } = invitation.value;
  const { userId } = caller;
  using places = new DisposableStack();
  places.defer(quotas.take("membersPerTeam", teamId, countHeld(store.view, "membersPerTeam", teamId, clock.now())));
  places.defer(quotas.take("teamsPerUser", userId, countHeld(store.view, "teamsPerUser", userId, clock.now())));
  const { result } = await update(store, {
    read: async () => {
      const found = await readInvitation(store, code, clock.now());
      if ((await store.get("memberships", `${userId}/${teamId}`)) !== null) {
        throw new Problem("already_member", "You are in this team already; the invitation stays open.");
      }
      return found;
    },
    decide: (found) => {
      const { membership, changes } = acceptedBy(userId, found, clock.now());
      return { changes, result: membership };
    },
  });
  return result;
}
