/** The one place that knows a linked account's public JSON. */
import { z } from "zod";
import type { Account } from "../domain/account.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const accountSchema = z
  .object({
    account_id: idSchema,
    issuer: z.string().describe("Address of the provider."),
    login: z.string().describe("What the provider called the account at its last login."),
    linked: timestampSchema,
    last_login: timestampSchema,
  })
  .meta({ id: "Account" });

export function accountRecord({ id, issuer, login, createdAt, lastLoginAt }: Account): z.output<typeof accountSchema> {
  return { account_id: id, issuer, login, linked: timestamp(createdAt), last_login: timestamp(lastLoginAt) };
}
