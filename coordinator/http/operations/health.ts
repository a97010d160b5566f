/** GET /healthz: the process serves. GET /readyz: it can do its work; with 503 and the reasons when it cannot. */
import { z } from "zod";
import { VIEW_AGE_MAX_MS } from "../../auth/authenticate.ts";
import type { App } from "../app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { refusals } from "../wire/refusals.ts";

export function health(app: App): void {
  app.route({
    method: "GET",
    url: "/healthz",
    schema: {
      operationId: "health",
      summary: "Whether the process serves",
      tags: ["operations"],
      security: [],
      response: { 200: z.object({ status: z.literal("ok") }) },
    },
    handler: async (_request, reply) => reply.send({ status: "ok" }),
  });
}

export function ready(app: App, { store, admission }: Pick<HttpDeps, "store" | "admission">): void {
  app.route({
    method: "GET",
    url: "/readyz",
    schema: {
      operationId: "ready",
      summary: "Whether the process can do its work",
      tags: ["operations"],
      security: [],
      response: { 200: z.object({ status: z.literal("ready") }), ...refusals(503) },
    },
    handler: async (_request, reply) => {
      // A load balancer need not hear of a moment that callers wait out.
      await admission.freshView.comesOrNot();
      const ageMs = store.view.ageMs();
      if (ageMs <= VIEW_AGE_MAX_MS) return reply.send({ status: "ready" });
      const detail = `nothing was heard from the store for ${Math.round(ageMs)} ms`;
      throw new Problem("unready", "The coordinator is not ready.", { errors: [{ pointer: "store", detail }] });
    },
  });
}
