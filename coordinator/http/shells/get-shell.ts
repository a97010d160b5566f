/** GET /v1/shells/:id, with the password that opens it for those who may log in, unless the request leaves it out. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { mayDo } from "../../auth/authorize.ts";
import { refusals } from "../../public/refusals.ts";
import { shellRecord, shellWithPasswordSchema } from "../../public/shell-record.ts";
import { openShellPassword } from "../../secrets/shell-password.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { ShellDeps } from "./shell-offer.ts";

const schema = {
  operationId: "getShell",
  summary: "Get a shell",
  tags: ["shells"],
  params: z.object({ id: z.string() }),
  querystring: z.object({
    with_password: z
      .enum(["true", "false"])
      .default("true")
      .describe("false leaves the password out; each reading of one is audited."),
  }),
  response: { 200: shellWithPasswordSchema, ...refusals(401, 403, 404, 422, 429, 503) },
};

export function getShell(app: App, deps: CallerDeps & RecordDeps & ShellDeps & SecretDeps): void {
  app.route({
    method: "GET",
    url: "/v1/shells/:id",
    schema,
    onRequest: requireKey(deps, "shells"),
    handler: async (request, reply) => {
      const { value: shell } = await readVisible(deps.store, keyOf(request), "shells", request.params.id);
      const record = shellRecord(deps.store.view, deps.shells, shell);
      const mayLogIn = mayDo(deps.store.view, keyOf(request), shell.teamId, "shells");
      const isShown = request.query.with_password === "true" && record.password_login && mayLogIn;
      if (shell.state.kind === "deleted" || !isShown) return reply.send({ ...record, password: null });
      audit(deps.log, "shell_password_shown", {
        requestId: request.id,
        shellId: shell.id,
        keyId: keyOf(request).id,
      });
      return reply.send({ ...record, password: openShellPassword(deps.secrets, shell) });
    },
  });
}
