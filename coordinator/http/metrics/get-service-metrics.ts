/** GET /v1/services/:id/metrics: how a service fared over the last hours, step by step. */
import { z } from "zod";
import { serviceMetricsRecord, serviceMetricsSchema } from "../../public/metrics-record.ts";
import { refusals } from "../../public/refusals.ts";
import { NO_FIGURES } from "../../series/figures.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { SeriesDeps } from "../deps/series-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { metricsQuerySchema } from "./metrics-query.ts";
import { metricsRange, spansOf } from "./metrics-range.ts";

const LIMITS = { defaultMs: 3_600_000, pointsMax: 200 };

const schema = {
  operationId: "getServiceMetrics",
  summary: "Get the metrics of a service",
  description:
    "Of at most the last 24 hours. Every coordinator keeps them in memory; after a restart those of ended tasks are read " +
    "back from the archive, and what was sampled begins again.",
  tags: ["services"],
  params: z.object({ id: z.string() }),
  querystring: metricsQuerySchema("an hour"),
  response: { 200: serviceMetricsSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

export function getServiceMetrics(app: App, deps: CallerDeps & SeriesDeps): void {
  app.route({
    method: "GET",
    url: "/v1/services/:id/metrics",
    schema,
    onRequest: requireKey(deps, "tasks:read"),
    handler: async (request, reply) => {
      const { value: service } = await readVisible(deps.store, keyOf(request), "services", request.params.id);
      const range = metricsRange(request.query, deps.clock.now(), LIMITS);
      const series = deps.series.get(service.id);
      const points = spansOf(range).map((span) => ({
        at: span.from,
        figures: series?.figures(span, range.stepMs) ?? NO_FIGURES,
      }));
      return reply.send(serviceMetricsRecord({ range, since: deps.series.since() }, service.id, points));
    },
  });
}
