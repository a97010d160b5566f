/** POST /v1/teams: a new team, which the caller owns. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { Membership, Team } from "../../domain/team.ts";
import { nameSchema } from "../../public/name-schema.ts";
import { refusals } from "../../public/refusals.ts";
import { recordOfTeam, teamSchema } from "../../public/team-record.ts";
import { create } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { countHeld } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";

const schema = {
  operationId: "createTeam",
  summary: "Create a team",
  description: "The caller becomes its owner. Names of teams need not differ.",
  tags: ["teams"],
  body: z.strictObject({ name: nameSchema }),
  response: { 201: teamSchema, ...refusals(400, 401, 403, 413, 415, 422, 429, 503) },
};

export function createTeam(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  app.route({
    method: "POST",
    url: "/v1/teams",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const now = deps.clock.now();
      const team: Team = { id: newId(now), name: request.body.name, createdAt: now };
      const membership: Membership = { userId: caller.userId, teamId: team.id, role: "owner", createdAt: now };
      await keep(deps, team, membership);
      const facts = { teamId: team.id, userId: caller.userId, byKeyId: caller.id };
      audit(deps.log, "team_created", { requestId: request.id, ...facts });
      return reply
        .code(201)
        .header("location", `${deps.publicUrl()}/v1/teams/${team.id}`)
        .send(recordOfTeam(team, caller, membership));
    },
  });
}

async function keep(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  team: Team,
  membership: Membership,
): Promise<void> {
  const { userId } = membership;
  const held = countHeld(store.view, "teamsPerUser", userId, clock.now());
  const release = quotas.take("teamsPerUser", userId, held);
  try {
    const outcome = await store.commit([create("teams", team), create("memberships", membership)]);
    if (outcome.kind === "conflict") throw new Error(`a new id was taken: ${team.id}`);
  } finally {
    release();
  }
}
