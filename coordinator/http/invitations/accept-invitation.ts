/**
 * POST /v1/invitations/accept: the caller's user joins the team of the code. A code works once, and only while
 * whoever made it may give the role that it has.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { invitationCode } from "../../auth/id-secret-text.ts";
import { secretMatches } from "../../auth/key-secret.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { type Invitation, isOpen } from "../../domain/invitation.ts";
import { permissionOver, roleMay } from "../../domain/role.ts";
import type { Membership } from "../../domain/team.ts";
import { create, remove, unchanged } from "../../store/change.ts";
import type { Store, Versioned } from "../../store/store.ts";
import type { App } from "../app.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import { keyOf, requireUnboundKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { countHeld } from "../limits/count-held.ts";
import { Problem } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";
import { teamRecord, teamSchema } from "../wire/team-record.ts";

const TRIES = 20;

const schema = {
  operationId: "acceptInvitation",
  summary: "Join a team by an invitation",
  tags: ["teams"],
  body: z.strictObject({ code: z.string() }),
  response: { 200: teamSchema, ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503) },
};

export function acceptInvitation(app: App, deps: HttpDeps): void {
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

async function join({ store, quotas, clock }: HttpDeps, caller: AccessKey, code: string): Promise<Membership> {
  const first = await readInvitation(store, code, clock.now());
  const { teamId } = first.invitation.value;
  const { userId } = caller;
  using places = new DisposableStack();
  places.defer(quotas.take("membersPerTeam", teamId, countHeld(store.view, "membersPerTeam", teamId, clock.now())));
  places.defer(quotas.take("teamsPerUser", userId, countHeld(store.view, "teamsPerUser", userId, clock.now())));
  for (let tries = 0; tries < TRIES; tries++) {
    const now = clock.now();
    const { invitation, creator } = tries === 0 ? first : await readInvitation(store, code, now);
    if ((await store.get("memberships", `${userId}/${teamId}`)) !== null) {
      throw new Problem("already_member", "You are in this team already; the invitation stays open.");
    }
    const membership = { userId, teamId, role: invitation.value.role, createdAt: now };
    const outcome = await store.commit([
      create("memberships", membership),
      remove("invitations", invitation),
      unchanged("memberships", creator),
    ]);
    if (outcome.kind === "committed") return membership;
  }
  throw new Problem("overloaded", "The team changes too quickly; ask again in a moment.");
}

/** An invitation that holds, as it is now, with the membership of its creator, on which it rests. */
async function readInvitation(
  store: Store,
  text: string,
  now: number,
): Promise<{ readonly invitation: Versioned<Invitation>; readonly creator: Versioned<Membership> }> {
  const code = invitationCode.parse(text);
  const invitation = code === null ? null : await store.get("invitations", code.id);
  const matches = code !== null && secretMatches(code.secret, invitation?.value.secretSha256 ?? null);
  if (invitation === null || !matches || !isOpen(invitation.value, now)) throw noInvitation();
  const { creatorId, teamId, role } = invitation.value;
  const creator = await store.get("memberships", `${creatorId}/${teamId}`);
  if (creator === null || !roleMay(creator.value.role, permissionOver(role))) throw noInvitation();
  return { invitation, creator };
}

function noInvitation(): Problem {
  const detail = "There is no such invitation: the code is mistyped, or was used, revoked or has expired.";
  return new Problem("not_found", detail);
}
