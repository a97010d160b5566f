/** POST /v1/teams/:id/invitations: a code for one user, to be passed on. Only this response has it. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { type Caller, refuseUnless } from "../../auth/authorize.ts";
import { invitationCode } from "../../auth/id-secret-text.ts";
import { hashSecret } from "../../auth/key-secret.ts";
import { INVITATION_SECONDS_MAX, type Invitation, isOpen } from "../../domain/invitation.ts";
import { permissionOver, type Role } from "../../domain/role.ts";
import type { Membership } from "../../domain/team.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { invitationRecord, invitationSchema } from "../../public/invitation-record.ts";
import { refusals } from "../../public/refusals.ts";
import { roleSchema } from "../../public/team-record.ts";
import { create, remove, unchanged } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import { refuseBeyondScopes } from "../access/refuse-beyond-scopes.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";

const schema = {
  operationId: "createInvitation",
  summary: "Invite a user into a team",
  description:
    "Only an owner invites an owner, and only an access key with all of a user's scopes invites anybody. An invitation ends when who made it may no longer give its role.",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  body: z.strictObject({
    role: roleSchema.default("member"),
    expires_in_seconds: z.int().min(60).max(INVITATION_SECONDS_MAX).default(INVITATION_SECONDS_MAX),
  }),
  response: {
    201: invitationSchema
      .extend({ code: z.string().describe("What the invited user accepts with, once. It is shown here once.") })
      .meta({ id: "NewInvitation" }),
    ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
  },
};

export function createInvitation(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  app.route({
    method: "POST",
    url: "/v1/teams/:id/invitations",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { id: teamId } = request.params;
      const { role, expires_in_seconds: seconds } = request.body;
      const caller = keyOf(request);
      const now = deps.clock.now();
      const code = invitationCode.create(newId(now));
      const invitation: Invitation = {
        id: code.id,
        teamId,
        role,
        creatorId: caller.userId,
        secretSha256: hashSecret(code.secret),
        createdAt: now,
        expiresAt: now + seconds * 1000,
      };
      await keep(deps, caller, invitation);
      const facts = { invitationId: invitation.id, teamId, role, byKeyId: caller.id };
      audit(deps.log, "invitation_created", { requestId: request.id, ...facts });
      return reply.code(201).send({ ...invitationRecord(invitation), code: invitationCode.format(code) });
    },
  });
}

async function keep(
  { store, quotas }: QuotaDeps & Pick<RecordDeps, "store">,
  caller: Caller,
  invitation: Invitation,
): Promise<void> {
  const { teamId, role, createdAt: now } = invitation;
  refuseBeyondScopes(caller);
  await readInviter(store, caller, teamId, role);
  const give = quotas.take("invitationsPerTeam", teamId, invitationsOf(store, teamId, now).open);
  try {
    await update(store, {
      read: () => readInviter(store, caller, teamId, role),
      decide: (inviter) => {
        const expired = invitationsOf(store, teamId, now).expired.map((one) => remove("invitations", one));
        return [create("invitations", invitation), unchanged("memberships", inviter), ...expired];
      },
    });
  } finally {
    give();
  }
}

async function readInviter(store: Store, caller: Caller, teamId: string, role: Role): Promise<Versioned<Membership>> {
  const own = await readOwnMembership(store, caller, teamId);
  refuseUnless(own.value.role, permissionOver(role));
  return own;
}

/** How many of a team's invitations are open, and those that expired. */
function invitationsOf({ view }: Store, teamId: string, now: number) {
  let open = 0;
  const expired: Versioned<Invitation>[] = [];
  for (const invitation of view.invitations.values()) {
    if (invitation.value.teamId !== teamId) continue;
    if (isOpen(invitation.value, now)) open += 1;
    else expired.push(invitation);
  }
  return { open, expired };
}
