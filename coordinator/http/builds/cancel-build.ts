/** POST /v1/builds/:id/cancel. One that has ended stays as it ended. */
import { z } from "zod";
import { cancelled } from "../../domain/build.ts";
import { replace } from "../../store/change.ts";
import type { App } from "../app.ts";
import { keyOf, requireKey } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { buildRecord, buildSchema } from "../wire/build-record.ts";
import { refusals } from "../wire/refusals.ts";
import { readBuild } from "./find-build.ts";

const TRIES = 5;

const schema = {
  operationId: "cancelBuild",
  summary: "Cancel a build",
  tags: ["builds"],
  params: z.object({ id: z.string() }),
  response: { 200: buildSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function cancelBuild(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/builds/:id/cancel",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { store, clock, log } = deps;
      for (let tries = 0; tries < TRIES; tries++) {
        const read = await readBuild(store, keyOf(request), request.params.id);
        const after = cancelled(read.value, clock.now());
        if (after === read.value) return reply.send(buildRecord(store.view, after));
        if ((await store.commit([replace("builds", read, after)])).kind !== "committed") continue;
        log.info({ requestId: request.id, buildId: after.id }, "build cancelled");
        return reply.send(buildRecord(store.view, after));
      }
      throw new Problem("store_unavailable", "The build changes too quickly: try again.");
    },
  });
}
