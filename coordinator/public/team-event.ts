/** The one place that knows the public JSON of what changed in a team. */
import { z } from "zod";
import { idSchema } from "./id-schema.ts";
import type { ServerEvent } from "./server-event.ts";
import type { Change, ChangedKind } from "./team-change.ts";

const KINDS = [
  "task",
  "service",
  "deployment",
  "build",
  "source",
  "source_connection",
  "volume",
  "shell",
  "webhook",
  "delivery",
  "key",
  "session",
  "team",
  "member",
  "invitation",
] as const satisfies readonly ChangedKind[];

const changeSchema = z.object({
  kind: z.enum(KINDS),
  id: z.string().nullable().describe("Null where any of the kind may have changed: read all that you show of it."),
  service_id: idSchema.nullable().describe("The service that it belongs to, if it belongs to one."),
  state: z
    .string()
    .nullable()
    .describe("A task's phase, a deployment's stage, another record's state; null for records without one."),
});

export const teamChangesSchema = z
  .object({ type: z.literal("changes"), changes: z.array(changeSchema) })
  .meta({ id: "TeamChanges" });

export const teamResetSchema = z.object({ type: z.literal("reset") }).meta({ id: "TeamReset" });

/** `id` is what a client names to continue after the event. */
export function changesEvent(id: string, changes: readonly Change[]): ServerEvent {
  const data: z.output<typeof teamChangesSchema> = {
    type: "changes",
    changes: changes.map(({ kind, id, serviceId, state }) => ({ kind, id, service_id: serviceId, state })),
  };
  return { id, type: data.type, data };
}

export function resetEvent(id: string): ServerEvent {
  const data: z.output<typeof teamResetSchema> = { type: "reset" };
  return { id, type: data.type, data };
}
