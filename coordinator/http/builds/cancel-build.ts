/** POST /v1/builds/:id/cancel. One that has ended stays as it ended. */
import { z } from "zod";
import { cancelled } from "../../domain/build.ts";
import { buildRecord, buildSchema } from "../../public/build-record.ts";
import { refusals } from "../../public/refusals.ts";
import { updateRecord } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";

const schema = {
  operationId: "cancelBuild",
  summary: "Cancel a build",
  tags: ["builds"],
  params: z.object({ id: z.string() }),
  response: { 200: buildSchema, ...refusals(401, 403, 404, 429, 503) },
};

export function cancelBuild(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/builds/:id/cancel",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      const { store, clock, log } = deps;
      const { result: build, isChanged } = await updateRecord(
        store,
        "builds",
        () => readVisible(store, keyOf(request), "builds", request.params.id),
        (before) => cancelled(before, clock.now()),
      );
      if (isChanged) log.info({ requestId: request.id, buildId: build.id }, "build cancelled");
      return reply.send(buildRecord(store.view, build));
    },
  });
}
