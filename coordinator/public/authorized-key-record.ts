/** The one place that knows an authorised key's public JSON. */
import { z } from "zod";
import type { AuthorizedKey } from "../domain/shell-login.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const authorizedKeySchema = z
  .object({
    key_id: idSchema,
    name: z.string(),
    type: z.string().describe("Such as ssh-ed25519."),
    fingerprint: z.string().describe("As ssh-keygen prints it."),
    created: timestampSchema,
  })
  .meta({ id: "AuthorizedKey" });

export function authorizedKeyRecord(key: AuthorizedKey): z.output<typeof authorizedKeySchema> {
  const { id, name, type, fingerprint, createdAt } = key;
  return { key_id: id, name, type, fingerprint, created: timestamp(createdAt) };
}
