/** The one place that knows an access key's public JSON. */
import { z } from "zod";
import { keyPrefix } from "../auth/key-text.ts";
import type { MadeKey } from "../auth/make-key.ts";
import type { AccessKey } from "../domain/access-key.ts";
import { idSchema } from "./id-schema.ts";
import { scopeSchema } from "./scope-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";

export const keySchema = z
  .object({
    key_id: z.string().regex(/^[0-9A-Za-z]{10}$/),
    name: z.string(),
    prefix: z.string().describe("How the key's text begins."),
    scopes: z.array(scopeSchema),
    team_id: idSchema.nullable().describe("The only team that it may be used for; null for all teams of its user."),
    created: timestampSchema,
    expires: timestampSchema.nullable(),
    made_by: z.string().nullable().describe("`key_id` of the key with which it was made; null where an operator did."),
    last_used: timestampSchema.nullable().describe("To the minute."),
    revoked: timestampSchema.nullable(),
  })
  .meta({ id: "AccessKey" });

export type KeyRecord = z.output<typeof keySchema>;

export function keyRecord(key: AccessKey): KeyRecord {
  return {
    key_id: key.id,
    name: key.name,
    prefix: keyPrefix(key.id),
    scopes: [...key.scopes],
    team_id: key.teamId,
    created: timestamp(key.createdAt),
    expires: timestampOrNull(key.expiresAt),
    made_by: key.madeBy ?? null,
    last_used: timestampOrNull(key.lastUsedAt),
    revoked: timestampOrNull(key.revokedAt),
  };
}

/** The only record that has the key itself. */
export const newKeyRecordSchema = keySchema
  .extend({ key: z.string().describe("The key itself. It is shown here once.") })
  .meta({ id: "NewAccessKey" });

export function newKeyRecord({ record, text }: MadeKey): z.output<typeof newKeyRecordSchema> {
  return { ...keyRecord(record), key: text };
}
