/** GET /v1/teams/:id/usage: what a team's tasks used that ended within some hours, from live and archived tasks. */
import { z } from "zod";
import { mayUseTeam } from "../../auth/authorize.ts";
import { refusals } from "../../public/refusals.ts";
import { HOUR_MS, usageRecord, usageSchema } from "../../public/usage-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { HistoryDeps } from "../deps/history-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound } from "../problems/problem.ts";
import { hoursOf, rangeQuerySchema } from "./usage-range.ts";

const schema = {
  operationId: "getUsage",
  summary: "Get the usage of a team",
  description:
    "Tasks that ended from `from` on and before `to`, both rounded to the hour. Percentiles are within 3 %. " +
    "Usage is retained for 400 days, however long tasks are.",
  tags: ["teams"],
  params: z.object({ id: z.string().describe("The team.") }),
  querystring: rangeQuerySchema("hour"),
  response: { 200: usageSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

export function getUsage(app: App, deps: CallerDeps & HistoryDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id/usage",
    schema,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { view } = deps.store;
      const { id: teamId } = request.params;
      if (!mayUseTeam(view, keyOf(request), teamId)) throw notFound("team");
      const { fromHour, beforeHour } = hoursOf(request.query, deps.clock.now(), HOUR_MS);
      const sums = await deps.history.usage(teamId, fromHour, beforeHour);
      return reply.send(usageRecord(view, { teamId, fromHour, beforeHour }, sums));
    },
  });
}
