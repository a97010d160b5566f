/** GET /v1/metrics: how all services of a team fared, in short. */
import { teamMetricsRecord, teamMetricsSchema } from "../../public/metrics-record.ts";
import { refusals } from "../../public/refusals.ts";
import { NO_FIGURES } from "../../series/figures.ts";
import { type CallerDeps, requireKey, teamOf } from "../access/caller.ts";
import type { SeriesDeps } from "../deps/series-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { metricsQuerySchema } from "./metrics-query.ts";
import { metricsRange, spansOf } from "./metrics-range.ts";

/** A team may have a thousand services. */
const LIMITS = { defaultMs: 24 * 3_600_000, pointsMax: 25 };

const schema = {
  operationId: "listMetrics",
  summary: "List the metrics of the team's services",
  description: "The main ones of each service, by hours of the last day unless another time is requested.",
  tags: ["services"],
  querystring: metricsQuerySchema("24 hours"),
  response: { 200: teamMetricsSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

export function listMetrics(app: App, deps: CallerDeps & SeriesDeps): void {
  app.route({
    method: "GET",
    url: "/v1/metrics",
    schema,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const teamId = teamOf(deps, request);
      const range = metricsRange(request.query, deps.clock.now(), LIMITS);
      const spans = spansOf(range);
      const services = [...deps.store.view.services.values()]
        .map(({ value }) => value)
        .filter((service) => service.teamId === teamId && service.state.kind !== "deleted")
        .map((service) => {
          const series = deps.series.get(service.id);
          const points = spans.map((span) => series?.figures(span, range.stepMs) ?? NO_FIGURES);
          return { service, points };
        });
      return reply.send(teamMetricsRecord({ range, since: deps.series.since() }, teamId, services));
    },
  });
}
