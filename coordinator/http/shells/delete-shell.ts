/** DELETE /v1/shells/:id. The record is marked; the scheduler ends its container and has its home erased. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { deleted } from "../../domain/shell.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { changeShell } from "./change-shell.ts";

const schema = {
  operationId: "deleteShell",
  summary: "Delete a shell",
  description: "For good, with its home. Deleting twice is no error.",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 429, 503) },
};

export function deleteShell(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/shells/:id",
    schema,
    onRequest: requireKey(deps, "shells"),
    handler: async (request, reply) => {
      const { id } = await changeShell(deps, keyOf(request), request.params.id, (before) =>
        deleted(before, deps.clock.now()),
      );
      audit(deps.log, "shell_deleted", { requestId: request.id, shellId: id, keyId: keyOf(request).id });
      return reply.code(204).send(null);
    },
  });
}
