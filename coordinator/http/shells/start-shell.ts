/** POST /v1/shells/:id/start. It comes up on the machine where its home is. */
import { z } from "zod";
import { started } from "../../domain/shell.ts";
import { refusals } from "../../public/refusals.ts";
import { shellRecord, shellSchema } from "../../public/shell-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { changeShell, refuseDeleted } from "./change-shell.ts";
import type { ShellDeps } from "./shell-offer.ts";

const schema = {
  operationId: "startShell",
  summary: "Start a shell",
  description:
    "Of one that was stopped or failed. It comes up where its home is, and waits while that machine is away.",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  response: { 202: shellSchema, ...refusals(401, 403, 404, 409, 429, 503) },
};

export function startShell(app: App, deps: CallerDeps & RecordDeps & ShellDeps): void {
  app.route({
    method: "POST",
    url: "/v1/shells/:id/start",
    schema,
    onRequest: requireKey(deps, "shells"),
    handler: async (request, reply) => {
      const shell = await changeShell(deps, keyOf(request), request.params.id, (before) => {
        refuseDeleted(before);
        return started(before, deps.clock.now());
      });
      deps.log.info({ requestId: request.id, shellId: shell.id }, "shell started");
      return reply.code(202).send(shellRecord(deps.store.view, deps.shells, shell));
    },
  });
}
