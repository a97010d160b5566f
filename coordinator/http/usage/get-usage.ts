/** GET /v1/teams/:id/usage: what a team's tasks used that ended within some hours, from live and archived tasks. */
import { z } from "zod";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { invalidRequest, notFound } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";
import { instantOf, timeQuerySchema } from "../wire/timestamp.ts";
import { HOUR_MS, usageRecord, usageSchema } from "../wire/usage-record.ts";

const DAY_MS = 24 * HOUR_MS;
const DEFAULT_MS = 30 * DAY_MS;
/** A quarter: each hour of each service is looked at. */
const RANGE_DAYS_MAX = 93;

const schema = {
  operationId: "getUsage",
  summary: "Get the usage of a team",
  description:
    "Tasks that ended from `from` on and before `to`, both taken to the whole hour. Percentiles are within 3 %. " +
    "Usage is kept for 400 days, however long tasks are.",
  tags: ["teams"],
  params: z.object({ id: z.string().describe("The team.") }),
  querystring: z.object({
    from: timeQuerySchema.optional().describe("Rounded down; 30 days before `to` if left out."),
    to: timeQuerySchema.optional().describe("Rounded up; now if left out."),
  }),
  response: { 200: usageSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

export function getUsage(app: App, deps: HttpDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id/usage",
    schema,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { view } = deps.store;
      const { id: teamId } = request.params;
      if (!mayUseTeam(view, keyOf(request), teamId)) throw notFound("team");
      const { fromHour, beforeHour } = hoursOf(request.query, deps.clock.now());
      const sums = await deps.history.usage(teamId, fromHour, beforeHour);
      return reply.send(usageRecord(view, { teamId, fromHour, beforeHour }, sums));
    },
  });
}

function hoursOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number) {
  const beforeHour = Math.ceil((to === undefined ? now : instantOf(to)) / HOUR_MS);
  const fromHour = Math.floor((from === undefined ? beforeHour * HOUR_MS - DEFAULT_MS : instantOf(from)) / HOUR_MS);
  if (fromHour >= beforeHour) throw refused("from", "must be before `to`");
  if ((beforeHour - fromHour) * HOUR_MS > RANGE_DAYS_MAX * DAY_MS) {
    throw refused("from", `at most ${RANGE_DAYS_MAX} days before \`to\`: ask for a longer time in parts`);
  }
  return { fromHour, beforeHour };
}

function refused(name: string, detail: string) {
  return invalidRequest([{ pointer: `querystring/${name}`, detail }]);
}
