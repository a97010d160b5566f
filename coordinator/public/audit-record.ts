/** The one place that knows the public JSON of the audit log. */
import { z } from "zod";
import type { AuditEntry, AuditObject } from "../domain/audit-entry.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

const factsSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable(),
);

const objectSchema = z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() });

export const auditEntrySchema = z
  .object({
    entry_id: idSchema,
    created: timestampSchema,
    action: z.string().describe("The operation of this document, such as `createService`, or an operator's command."),
    user_id: idSchema.nullable().describe("Null for operators and source hosts."),
    user_name: z.string().nullable(),
    credential: z
      .object({ kind: z.enum(["key", "session", "login", "operator", "source_host"]), id: z.string().nullable() })
      .describe(
        "What it was done with: an access key, a session, the login of a browser, a command of an operator, or an event that a " +
          "source host sent. A quarantine, which a coordinator decides, has `operator`.",
      ),
    address: z.string().nullable().describe("Of the client; null for operators."),
    request_id: z.string().nullable(),
    object: objectSchema,
    also: z
      .array(objectSchema)
      .describe(
        "What was changed with it; what ended an access always, perhaps in further entries of the same request.",
      ),
    also_left_out: z
      .number()
      .int()
      .nullable()
      .describe(
        "How many others were changed with it that there was no room for; null where an earlier version wrote the entry.",
      ),
    before: factsSchema.nullable().describe("What differs; null for what was created. Never a secret."),
    after: factsSchema.nullable().describe("Null for what was removed."),
  })
  .meta({ id: "AuditEntry" });

export type AuditRecord = z.output<typeof auditEntrySchema>;

export function auditRecord({ users }: Pick<View, "users">, entry: AuditEntry): AuditRecord {
  const { id, at, action, userId, credential, address, requestId, object, also, before, after } = entry;
  const { alsoLeftOut = also.length === 0 ? 0 : null } = entry;
  const nameOf = (user: string) => users.get(user)?.value.name ?? null;
  // A member has the name of their user.
  const named = ({ kind, id: objectId, name }: AuditObject) => ({
    kind,
    id: objectId,
    name: kind === "member" ? nameOf(objectId) : name,
  });
  return {
    entry_id: id,
    created: timestamp(at),
    action,
    user_id: userId,
    user_name: userId === null ? null : nameOf(userId),
    credential: { ...credential },
    address,
    request_id: requestId,
    object: named(object),
    also: also.map(named),
    also_left_out: alsoLeftOut,
    before: publicFacts(before),
    after: publicFacts(after),
  };
}

function publicFacts(facts: AuditEntry["before"]): AuditRecord["before"] {
  return facts && Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, unfrozen(fact)]));
}

function unfrozen(fact: NonNullable<AuditEntry["before"]>[string]) {
  return Array.isArray(fact) ? [...fact] : (fact as Exclude<typeof fact, readonly string[]>);
}
