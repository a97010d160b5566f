/** The one place that knows a join token's public JSON. */
import { z } from "zod";
import type { JoinToken } from "../domain/join-token.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";

export const joinTokenSchema = z
  .object({
    join_token_id: idSchema,
    node_name: z.string().nullable().describe("null: of the first machine that uses it."),
    created: timestampSchema,
    expires: timestampSchema,
    used: timestampSchema.nullable(),
    used_by: z.string().nullable().describe("Name of the node."),
  })
  .meta({ id: "JoinToken" });

export type JoinTokenRecord = z.output<typeof joinTokenSchema>;

export function joinTokenRecord(token: JoinToken): JoinTokenRecord {
  return {
    join_token_id: token.id,
    node_name: token.nodeName,
    created: timestamp(token.createdAt),
    expires: timestamp(token.expiresAt),
    used: timestampOrNull(token.use?.at ?? null),
    used_by: token.use?.nodeName ?? null,
  };
}
