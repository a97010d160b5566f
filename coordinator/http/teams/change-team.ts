/** PATCH /v1/teams/:id: renames a team, or names the web pages that may use the API with its keys. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { Caller } from "../../auth/authorize.ts";
import type { Team } from "../../domain/team.ts";
import { isOrigin, ORIGIN_RULE, ORIGINS_MAX } from "../../domain/team-origins.ts";
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
  summary: "Change a team",
  tags: ["teams"],
  params: z.object({ id: z.string() }),
  body: z
    .strictObject({
      name: nameSchema.optional(),
      origins: z
        .array(z.string().max(300).refine(isOrigin, ORIGIN_RULE))
        .max(ORIGINS_MAX)
        .optional()
        .describe(`In the place of those that it has. Each is ${ORIGIN_RULE}.`),
    })
    .refine((body) => Object.keys(body).length > 0, "name or origins")
    .describe("What is left out stays as it is."),
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
      const { name, origins } = request.body;
      const record = await change(deps, caller, request.params.id, {
        ...(name === undefined ? {} : { name }),
        ...(origins === undefined ? {} : { origins: [...new Set(origins)] }),
      });
      const done = { requestId: request.id, teamId: record.team_id, byKeyId: caller.id };
      if (name !== undefined) audit(deps.log, "team_renamed", done);
      if (origins !== undefined) audit(deps.log, "team_origins_changed", done);
      return reply.send(record);
    },
  });
}

async function change(
  { store }: Pick<RecordDeps, "store">,
  caller: Caller,
  teamId: string,
  given: Partial<Pick<Team, "name" | "origins">>,
): Promise<TeamRecord> {
  const { result } = await update(store, {
    read: async () => {
      const own = await readOwnMembership(store, caller, teamId);
      const team = await store.get("teams", teamId);
      if (team === null) throw notFound("team");
      return { own, team };
    },
    decide: ({ own, team }) => {
      const changed = { ...team.value, ...given };
      return {
        changes: [replace("teams", team, changed), unchanged("memberships", own)],
        result: recordOfTeam(changed, caller, own.value),
      };
    },
  });
  return result;
}
