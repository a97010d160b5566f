/** DELETE /v1/me: the caller's user, with every access. */
import { z } from "zod";
import { deleteUser, OnlyOwnerError } from "../../accounts/delete-user.ts";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";

const schema = {
  operationId: "deleteMe",
  summary: "Delete one's own user",
  description:
    "For good. The user's access keys, sessions, SSH keys, login accounts, invitations and memberships end at once. What the " +
    "user made in a team stays the team's. Rejected while the user is the only owner of a team: make another member an " +
    "owner, or delete the team, first.",
  tags: ["keys"],
  querystring: z.object({
    name: z.string().describe("The user's name, as a confirmation.").meta({ example: "ada" }),
  }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 409, 422, 429, 503) },
};

export function deleteMe(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/me",
    schema,
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const { userId, id: byKeyId } = keyOf(request);
      const { store, clock, log } = deps;
      const user = await store.get("users", userId);
      if (user?.value.name !== request.query.name) {
        throw invalidRequest([{ pointer: "name", detail: "is not the user's name" }]);
      }
      await deleteUser(store, userId, clock).catch((error) => {
        throw error instanceof OnlyOwnerError ? new Problem("last_owner", `${capitalized(error.message)}.`) : error;
      });
      audit(log, "user_deleted", { requestId: request.id, userId, byKeyId });
      return reply.code(204).send(null);
    },
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
