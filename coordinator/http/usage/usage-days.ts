/** GET /v1/teams/:id/usage/days and /usage/export: what a team's tasks used by day and service, as JSON and as CSV. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { mayUseTeam } from "../../auth/authorize.ts";
import { refusals } from "../../public/refusals.ts";
import { type UsageDayRecord, usageDayRecords, usageDaySchema, usageDaysText } from "../../public/usage-day-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { HistoryDeps } from "../deps/history-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, notFound } from "../problems/problem.ts";
import { DAY_MS, hoursOf, type RangeQuery, rangeQuerySchema } from "./usage-range.ts";

/** A thousand services for the fifth of a year. */
const ROWS_MAX = 20_000;
const DESCRIPTION =
  "One row a day, in UTC, and service with tasks that ended then; the newest day first. Usage is retained for 400 days.";

const common = {
  tags: ["teams"],
  params: z.object({ id: z.string().describe("The team.") }),
  querystring: rangeQuerySchema("day"),
};

const listSchema = {
  ...common,
  operationId: "listUsageDays",
  summary: "Get the usage of a team by day and service",
  description: DESCRIPTION,
  response: { 200: z.object({ items: z.array(usageDaySchema) }), ...refusals(401, 403, 404, 422, 429, 503) },
};

const exportSchema = {
  ...common,
  operationId: "exportUsage",
  summary: "Export the usage of a team as a file",
  description: `${DESCRIPTION} As CSV.`,
  response: {
    200: { description: "The file.", content: { "text/csv": { schema: z.string() } } },
    ...refusals(401, 403, 404, 422, 429, 503),
  },
};

export function usageDays(app: App, deps: CallerDeps & HistoryDeps): void {
  app.route({
    method: "GET",
    url: "/v1/teams/:id/usage/days",
    schema: listSchema,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => reply.send({ items: [...(await daysOf(deps, request))] }),
  });
  app.route({
    method: "GET",
    url: "/v1/teams/:id/usage/export",
    schema: exportSchema,
    exposeHeadRoute: false,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const days = await daysOf(deps, request);
      reply.headers({
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": 'attachment; filename="usage.csv"',
      });
      return (reply as FastifyReply).send(usageDaysText(days));
    },
  });
}

async function daysOf(
  deps: Pick<RecordDeps, "store" | "clock"> & HistoryDeps,
  request: FastifyRequest,
): Promise<readonly UsageDayRecord[]> {
  const { view } = deps.store;
  const { id: teamId } = request.params as { readonly id: string };
  if (!mayUseTeam(view, keyOf(request), teamId)) throw notFound("team");
  const { fromHour, beforeHour } = hoursOf(request.query as RangeQuery, deps.clock.now(), DAY_MS);
  const rows = (await deps.history.usageDays(teamId, fromHour, beforeHour)).rows();
  if (rows.length <= ROWS_MAX) return usageDayRecords(view, rows);
  const detail = `these are ${rows.length} rows, and a response has at most ${ROWS_MAX}: request a shorter time`;
  throw invalidRequest([{ pointer: "from", detail }]);
}
