/**
 * DELETE /v1/teams/:id. The record becomes a mark, which ends every access to the team at once; the leader removes what the team
 * had (expiry/deleted-teams.ts). The first memberships are removed in the same commit, so that a change that compares one of them,
 * such as an invitation, fails.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { Caller } from "../../auth/authorize.ts";
import { isDeleted } from "../../domain/team.ts";
import { refusals } from "../../public/refusals.ts";
import { remove, replace } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, notFound } from "../problems/problem.ts";

/** Of the members in the first commit; those of larger teams are removed after it. */
const MEMBERS_AT_ONCE = 40;

const schema = {
  operationId: "deleteTeam",
  summary: "Delete a team",
  description:
    "For good, with all that it has. Its access keys, and the access of its members, end at once. Its tasks are cancelled, its " +
    "shells and services stopped, and then removed with builds, volumes, uploads, webhooks, invitations, connections to source " +
    "hosts, logs, results and usage, which may take some minutes. Its audit log stays for its retention. Only an owner deletes a " +
    "team.",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  querystring: z.object({
    name: z.string().describe("The team's name, as a confirmation.").meta({ example: "studio" }),
  }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 422, 429, 503) },
};

export function deleteTeam(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/teams/:id",
    schema,
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const { id: teamId } = request.params;
      await markDeleted(deps, caller, teamId, request.query.name);
      audit(deps.log, "team_deleted", { requestId: request.id, teamId, userId: caller.userId, byKeyId: caller.id });
      return reply.code(204).send(null);
    },
  });
}

async function markDeleted({ store, clock }: RecordDeps, caller: Caller, teamId: string, name: string): Promise<void> {
  await update(store, {
    read: async () => {
      const own = await readOwnMembership(store, caller, teamId);
      const team = await store.get("teams", teamId);
      if (team === null || isDeleted(team.value)) throw notFound("team");
      const others = [...store.view.memberships.values()].filter(
        ({ value }) => value.teamId === teamId && value.userId !== caller.userId,
      );
      const ids = others.slice(0, MEMBERS_AT_ONCE).map(({ value }) => `${value.userId}/${teamId}`);
      const members = await Promise.all(ids.map((id) => store.get("memberships", id)));
      return { own, team, members: members.filter((member) => member !== null) };
    },
    decide: ({ own, team, members }) => {
      if (team.value.name !== name) {
        throw invalidRequest([{ pointer: "name", detail: "is not the team's name" }]);
      }
      const mark = { ...team.value, deleted: { at: clock.now(), byUserId: caller.userId } };
      return [replace("teams", team, mark), ...[own, ...members].map((member) => remove("memberships", member))];
    },
  });
}
