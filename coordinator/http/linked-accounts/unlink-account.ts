/** DELETE /v1/me/accounts/:id: the account no longer logs its user in. The last one stays. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { remove, unchanged } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { notFound, Problem } from "../problems/problem.ts";

const schema = {
  operationId: "unlinkAccount",
  summary: "Unlink a login account",
  description: "Sessions that were started with it stay, until they are ended.",
  tags: ["login"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Unlinked."), ...refusals(401, 403, 404, 409, 429, 503) },
};

export function unlinkAccount(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/me/accounts/:id",
    schema,
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const { id } = request.params;
      const { userId, id: byKeyId } = keyOf(request);
      await unlink(deps, userId, id);
      audit(deps.log, "account_unlinked", { requestId: request.id, accountId: id, userId, byKeyId });
      return reply.code(204).send(null);
    },
  });
}

async function unlink({ store }: Pick<RecordDeps, "store">, userId: string, id: string): Promise<void> {
  await update(store, {
    read: () => [...store.view.accounts.of(userId)],
    decide: (accounts) => {
      const account = accounts.find(({ value }) => value.id === id);
      if (account === undefined) throw notFound("account");
      const other = accounts.find(({ value }) => value.id !== id);
      if (other === undefined) throw new Problem("last_account", "You log in with no other account: link one first.");
      return [remove("accounts", account), unchanged("accounts", other)];
    },
  });
}
