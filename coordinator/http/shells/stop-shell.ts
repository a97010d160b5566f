/** POST /v1/shells/:id/stop. Its sessions end; its home stays. */
import { z } from "zod";
import { stopped } from "../../domain/shell.ts";
import { refusals } from "../../public/refusals.ts";
import { shellRecord, shellSchema } from "../../public/shell-record.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { changeShell, refuseDeleted } from "./change-shell.ts";
import type { ShellDeps } from "./shell-offer.ts";

const schema = {
  operationId: "stopShell",
  summary: "Stop a shell",
  description: "Ends its sessions and gives its machine back. Its home stays. One that does not run stays as it is.",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  response: { 202: shellSchema, ...refusals(401, 403, 404, 409, 429, 503) },
};

export function stopShell(app: App, deps: CallerDeps & RecordDeps & ShellDeps): void {
  app.route({
    method: "POST",
    url: "/v1/shells/:id/stop",
    schema,
    onRequest: requireKey(deps, "shells"),
    handler: async (request, reply) => {
      const shell = await changeShell(deps, keyOf(request), request.params.id, (before) => {
        refuseDeleted(before);
        return stopped(before, "user", deps.clock.now());
      });
      deps.log.info({ requestId: request.id, shellId: shell.id }, "shell stopped");
      return reply.code(202).send(shellRecord(deps.store.view, deps.shells, shell));
    },
  });
}
