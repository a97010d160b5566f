/**
 * DELETE /v1/teams/:id/members/:userId: an owner removes a member, or a member leaves. What the user's keys may do in
 * the team ends with it, and so do the invitations that the user made. One owner always stays.
 */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Membership } from "../../domain/team.ts";
import { remove, unchanged } from "../../store/change.ts";
import type { Change, Store, Versioned } from "../../store/store.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { notFound, Problem } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";
import { readOwnMembership, refuseUnlessOwner } from "./find-member.ts";

const TRIES = 20;

const schema = {
  operationId: "removeMember",
  summary: "Remove a member of a team, or leave it",
  tags: ["teams"],
  params: z.object({ id: z.string(), userId: z.string() }),
  response: { 204: z.null().describe("Removed."), ...refusals(401, 403, 404, 409, 429, 503) },
};

export function removeMember(app: App, deps: HttpDeps): void {
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

async function takeOut({ store }: HttpDeps, key: AccessKey, teamId: string, userId: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const own = await readOwnMembership(store, key, teamId);
    const leaves = userId === key.userId;
    if (!leaves) refuseUnlessOwner(own.value);
    const member = leaves ? own : await readMember(store, teamId, userId);
    // Whoever removes another is an owner who stays; an owner who leaves needs one.
    const stays = leaves ? await ownerBeside(store, member.value) : own;
    const changes: Change[] = [remove("memberships", member), ...invitationsOf(store, member.value)];
    if (stays !== null) changes.push(unchanged("memberships", stays));
    if ((await store.commit(changes)).kind === "committed") return;
  }
  throw new Problem("overloaded", "The team changes too quickly; ask again in a moment.");
}

async function readMember(store: Store, teamId: string, userId: string): Promise<Versioned<Membership>> {
  const member = isId(userId) ? await store.get("memberships", `${userId}/${teamId}`) : null;
  if (member === null) throw notFound("member");
  return member;
}

/** Another owner, of whom the removal of an owner says that they stay; null where it is not an owner who goes. */
async function ownerBeside(store: Store, goes: Membership): Promise<Versioned<Membership> | null> {
  if (goes.role !== "owner") return null;
  for (const { value } of store.view.memberships.values()) {
    if (value.teamId !== goes.teamId || value.role !== "owner" || value.userId === goes.userId) continue;
    const owner = await store.get("memberships", `${value.userId}/${value.teamId}`);
    if (owner?.value.role === "owner") return owner;
  }
  throw new Problem("last_owner", "You are the team's last owner: invite another one before you leave.");
}

function invitationsOf({ view }: Store, { teamId, userId }: Membership): readonly Change[] {
  return [...view.invitations.values()]
    .filter(({ value }) => value.teamId === teamId && value.creatorId === userId)
    .map((invitation) => remove("invitations", invitation));
}
