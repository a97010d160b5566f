/** POST /v1/keys: a key that opens at most what the caller's does. Its text is in this answer and nowhere else. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { makeKey } from "../../auth/make-key.ts";
import { type AccessKey, endOfKey } from "../../domain/access-key.ts";
import { create, remove } from "../../store/change.ts";
import type { Store, Versioned } from "../../store/store.ts";
import type { App } from "../app.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import { keyOf, requireKey, teamOf } from "../caller.ts";
import type { HttpDeps } from "../http-deps.ts";
import { Problem } from "../problem.ts";
import { keyRecord, keySchema } from "../wire/key-record.ts";
import { refusals } from "../wire/refusals.ts";
import { boundTeamOf, endOfNewKey, newKeySchema, refuseBeyond } from "./new-key-request.ts";

const TRIES = 5;
/** Revoked and expired keys of a user that stay in the list; older ones go as new keys come. */
const ENDED_KEPT_MAX = 100;

const schema = {
  operationId: "createKey",
  summary: "Create an access key",
  tags: ["keys"],
  body: newKeySchema,
  response: {
    201: keySchema
      .extend({ key: z.string().describe("The key itself. It is shown here once.") })
      .meta({ id: "NewAccessKey" }),
    ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
  },
};

export function createKey(app: App, deps: HttpDeps): void {
  app.route({
    method: "POST",
    url: "/v1/keys",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const caller = keyOf(request);
      const { body: asked } = request;
      refuseBeyond(deps.store.view, caller, asked);
      const teamId = boundTeamOf(caller, asked);
      const now = deps.clock.now();
      const { record, text } = makeKey({
        name: asked.name,
        userId: caller.userId,
        teamId,
        defaultTeamId: teamId ?? teamOf(deps, request),
        scopes: [...new Set(asked.scopes)],
        createdAt: now,
        expiresAt: endOfNewKey(caller, asked, now),
        madeBy: caller.id,
      });
      await keep(deps, record);
      const { id: keyId, userId, scopes, expiresAt } = record;
      const facts = { keyId, userId, teamId, scopes, expiresAt, byKeyId: caller.id };
      audit(deps.log, "key_created", { requestId: request.id, ...facts });
      return reply
        .code(201)
        .header("location", `${deps.publicUrl()}/v1/keys/${keyId}`)
        .send({ ...keyRecord(record), key: text });
    },
  });
}

async function keep({ store, quotas, clock }: HttpDeps, key: AccessKey): Promise<void> {
  const { open } = keysOf(store, key.userId, clock.now());
  const give = quotas.take("keysPerUser", key.userId, open);
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const { ended } = keysOf(store, key.userId, clock.now());
      const old = ended.slice(ENDED_KEPT_MAX).map((one) => remove("access-keys", one));
      const outcome = await store.commit([create("access-keys", key), ...old.slice(0, ENDED_KEPT_MAX)]);
      if (outcome.kind === "committed") return;
    }
  } finally {
    give();
  }
  throw new Problem("overloaded", "Your keys change too quickly; ask again in a moment.");
}

/** How many keys of a user open something, and those that do not, newest first. */
function keysOf({ view }: Store, userId: string, now: number) {
  let open = 0;
  const ended: Versioned<AccessKey>[] = [];
  for (const key of view.accessKeys.values()) {
    if (key.value.userId !== userId) continue;
    if (endOfKey(key.value, now) === null) open += 1;
    else ended.push(key);
  }
  return { open, ended: ended.sort((a, b) => b.value.createdAt - a.value.createdAt) };
}
