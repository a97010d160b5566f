/** POST /v1/operators/users: a new user in a team, who logs in with a link that only this response has. */
import { z } from "zod";
import { addUserWithoutKey } from "../../accounts/add-user.ts";
import { audit } from "../../auth/audit.ts";
import { isDeleted } from "../../domain/team.ts";
import { nameSchema } from "../../public/name-schema.ts";
import { loginLinkSchema, operatedUser, operatedUserSchema } from "../../public/operator-record.ts";
import { refusals } from "../../public/refusals.ts";
import { memberSchema } from "../../public/team-record.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest } from "../problems/problem.ts";
import { makeLoginLink, requireRoomForLink } from "./create-login-link.ts";
import { readUser } from "./find-user.ts";
import { factsOfUsers, NO_FACTS } from "./user-facts.ts";

const schema = {
  operationId: "createOperatedUser",
  summary: "Create a user, with a link to log in",
  tags: ["operators"],
  body: z.strictObject({
    name: nameSchema,
    team_id: z.string().describe("The user's first team."),
    role: memberSchema.shape.role.default("member"),
  }),
  response: {
    201: operatedUserSchema.extend(loginLinkSchema.shape).meta({ id: "NewOperatedUser" }),
    ...refusals(400, 401, 403, 413, 415, 422, 429, 503),
  },
};

export function createUser(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/operators/users",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "admin"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { store, clock, log } = deps;
      const { name, team_id: teamId, role } = request.body;
      const team = store.view.teams.get(teamId)?.value;
      if (team === undefined || isDeleted(team))
        throw invalidRequest([{ pointer: "#/team_id", detail: "there is no such team" }]);
      // Before the user is there, who would have no way in.
      requireRoomForLink(deps);
      const userId = await addUserWithoutKey(store, { name, team, role }, clock);
      audit(log, "user_created", { requestId: request.id, userId, teamId, role, byKeyId: keyOf(request).id });
      const link = await makeLoginLink(deps, request, userId);
      const facts = factsOfUsers(store.view, clock.now()).get(userId) ?? NO_FACTS;
      return reply.code(201).send({ ...operatedUser(await readUser(store, userId), facts), ...link });
    },
  });
}
