/** POST /v1/keys: a key that opens at most what the caller's does. Only this response has its text. */
import { audit } from "../../auth/audit.ts";
import { type MadeKey, makeKey } from "../../auth/make-key.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { keyRecord, keySchema, newKeyRecord, newKeyRecordSchema } from "../../public/key-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireKey, teamOf } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { OneTimeCreations, secretOnceHeaders } from "../idempotency/create-once.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { readKey } from "./find-key.ts";
import { boundTeamOf, endOfNewKey, newKeySchema, refuseBeyond } from "./new-key-request.ts";
import { storeKey } from "./store-key.ts";

const schema = {
  operationId: "createKey",
  summary: "Create an access key",
  tags: ["keys"],
  headers: secretOnceHeaders,
  body: newKeySchema,
  response: {
    200: keySchema,
    201: newKeyRecordSchema,
    ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
  },
};

export function createKey(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  const creations = new OneTimeCreations(deps, schema.operationId);
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
      const defaultTeamId = teamId ?? teamOf(deps, request);
      const { made, isReplay } = await creations.run<Made>({
        request,
        teamId: defaultTeamId,
        userId: caller.userId,
        find: async (id) => ({ record: (await readKey(deps.store, caller, id)).value, text: null }),
        make: async (remember) => {
          const now = deps.clock.now();
          const key = makeKey({
            name: requested.name,
            userId: caller.userId,
            teamId,
            defaultTeamId,
            scopes: [...new Set(requested.scopes)],
            createdAt: now,
            expiresAt: endOfNewKey(caller, requested, now),
            madeBy: caller.id,
          });
          await storeKey(deps, key.record, async () => remember(key.record));
          return key;
        },
      });
      const { record, text } = made;
      const { id: keyId, userId, scopes, expiresAt } = record;
      reply.header("location", `${deps.publicUrl()}/v1/keys/${keyId}`);
      if (isReplay) reply.header("idempotent-replayed", "true");
      if (text === null) return reply.code(200).send(keyRecord(record));
      const facts = { keyId, userId, teamId, scopes, expiresAt, byKeyId: caller.id };
      audit(deps.log, "key_created", { requestId: request.id, ...facts });
      return reply.code(201).send(newKeyRecord({ record, text }));
    },
  });
}

/** Without its text: what an earlier request has made. */
type Made = MadeKey | { readonly record: AccessKey; readonly text: null };
