/** POST /v1/keys: a key that opens at most what the caller's does. Only this response has its text. */
import { audit } from "../../auth/audit.ts";
import { makeKey } from "../../auth/make-key.ts";
import { newKeyRecord, newKeyRecordSchema } from "../../public/key-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { boundTeamOf, endOfNewKey, newKeySchema, refuseBeyond } from "./new-key-request.ts";
import { storeKey } from "./store-key.ts";

const schema = {
  operationId: "createKey",
  summary: "Create an access key",
  tags: ["keys"],
  body: newKeySchema,
  response: {
    201: newKeyRecordSchema,
    ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
  },
};

export function createKey(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  app.route({
    method: "POST",
    url: "/v1/keys",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const { body: requested } = request;
      refuseBeyond(deps.store.view, caller, requested);
      const teamId = boundTeamOf(caller, requested);
      const now = deps.clock.now();
      const made = makeKey({
        name: requested.name,
        userId: caller.userId,
        teamId,
        defaultTeamId: teamId ?? teamOf(deps, request),
        scopes: [...new Set(requested.scopes)],
        createdAt: now,
        expiresAt: endOfNewKey(caller, requested, now),
        madeBy: caller.id,
      });
      await storeKey(deps, made.record);
      const { id: keyId, userId, scopes, expiresAt } = made.record;
      const facts = { keyId, userId, teamId, scopes, expiresAt, byKeyId: caller.id };
      audit(deps.log, "key_created", { requestId: request.id, ...facts });
      return reply.code(201).header("location", `${deps.publicUrl()}/v1/keys/${keyId}`).send(newKeyRecord(made));
    },
  });
}
