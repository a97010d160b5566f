/** PATCH /v1/teams/:id: renames a team. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { Caller } from "../../auth/authorize.ts";
import { nameSchema } from "../../public/name-schema.ts";
import { refusals } from "../../public/refusals.ts";
import { recordOfTeam, type TeamRecord, teamSchema } from "../../public/team-record.ts";
import { replace, unchanged } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readOwnMembership } from "../access/find-member.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";

const schema = {
  operationId: "changeTeam",
  summary: "Rename a team",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  body: z.strictObject({ name: nameSchema }),
  response: { 200: teamSchema, ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503) },
};

export function changeTeam(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "PATCH",
    url: "/v1/teams/:id",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const record = await rename(deps, caller, request.params.id, request.body.name);
      audit(deps.log, "team_renamed", { requestId: request.id, teamId: record.team_id, byKeyId: caller.id });
      return reply.send(record);
    },
  });
}

async function rename(
  { store }: Pick<RecordDeps, "store">,
  caller: Caller,
  teamId: string,
  name: string,
): Promise<TeamRecord> {
  const { result } = await update(store, {
    read: async () => {
      const own = await readOwnMembership(store, caller, teamId);
      const team = await store.get("teams", teamId);
      if (team === null) throw notFound("team");
      return { own, team };
    },
    decide: ({ own, team }) => {
      const renamed = { ...team.value, name };
      return {
        changes: [replace("teams", team, renamed), unchanged("memberships", own)],
        result: recordOfTeam(renamed, caller, own.value),
      };
    },
  });
  return result;
}
