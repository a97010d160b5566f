/** POST /v1/me/authorized-keys: a public key that opens the shells of all teams that the caller is in. */
import { newId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { NotAKey, type PublicKeyText, readPublicKey } from "../../auth/authorized-key.ts";
import type { AuthorizedKey } from "../../domain/shell-login.ts";
import { isName } from "../../domain/team.ts";
import { authorizedKeyRecord, authorizedKeySchema } from "../../public/authorized-key-record.ts";
import { nameSchema } from "../../public/name-schema.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { invalidRequest, Problem } from "../problems/problem.ts";
import { changeAuthorizedKeys } from "./change-keys.ts";

/** They stand in the user's record, which has at most 8 KiB. */
export const AUTHORIZED_KEYS_MAX = 7;
const TEXT_LENGTH_MAX = 2_000;

const schema = {
  operationId: "addAuthorizedKey",
  summary: "Add a public key for shells",
  description: "It opens the shells of every team that you are in, while you are. The same key again changes nothing.",
  tags: ["shells"],
  body: z.strictObject({
    key: z.string().max(TEXT_LENGTH_MAX).describe("One line as in a .pub file of ssh-keygen."),
    name: nameSchema.optional().describe("The key's comment, or its fingerprint, if left out."),
  }),
  response: {
    201: authorizedKeySchema,
    ...refusals(400, 401, 403, 413, 415, 422, 429, 503),
  },
};

export function addAuthorizedKey(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/me/authorized-keys",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "shells"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { userId, id: byKeyId } = keyOf(request);
      const { comment, ...read } = readOrRefuse(request.body.key);
      const name = request.body.name ?? (isName(comment) ? comment : read.fingerprint);
      const now = deps.clock.now();
      let added: AuthorizedKey = { id: newId(now), name, ...read, createdAt: now };
      let isNew = true;
      await changeAuthorizedKeys(deps.store, userId, (keys) => {
        const known = keys.find(({ blob }) => blob === added.blob);
        if (known !== undefined) {
          added = known;
          isNew = false;
          return null;
        }
        if (keys.length >= AUTHORIZED_KEYS_MAX) {
          throw new Problem("quota_exceeded", `You have ${keys.length} authorised keys; delete one first.`);
        }
        return [...keys, added];
      });
      const { id: keyId, fingerprint } = added;
      if (isNew)
        audit(deps.log, "authorized_key_added", { requestId: request.id, userId, keyId, fingerprint, byKeyId });
      return reply.code(201).send(authorizedKeyRecord(added));
    },
  });
}

function readOrRefuse(text: string): PublicKeyText {
  try {
    return readPublicKey(text);
  } catch (error) {
    if (error instanceof NotAKey) throw invalidRequest([{ pointer: "#/key", detail: error.message }]);
    throw error;
  }
}
