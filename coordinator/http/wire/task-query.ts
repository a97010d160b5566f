/** Which tasks a list asks for. */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import type { TaskFilter, TaskPhaseKind } from "../../store/store.ts";
import { pageQuerySchema } from "./page.ts";
import { type PublicState, publicPhases, publicStates } from "./task-record.ts";
import { instantOf, timeQuerySchema } from "./timestamp.ts";

export const serviceTasksQuerySchema = pageQuerySchema.extend({
  state: z.enum(publicStates).optional(),
  phase: z.enum(publicPhases).optional(),
  created_after: timeQuerySchema.optional().describe("Tasks created in this second or later."),
  created_before: timeQuerySchema.optional().describe("Tasks created before this second."),
  cursor: z
    .string()
    .refine(isId)
    .optional()
    .describe(
      "`next_cursor` of the answer before. `page` does not count beside it: the answer's `page` is 1, its `total` and " +
        "`pages` those of the whole list, and its `next_cursor` null at the end.",
    ),
});

export const tasksQuerySchema = serviceTasksQuerySchema.extend({ service_id: z.string().optional() });

export type TasksQuery = z.output<typeof tasksQuerySchema>;

export function taskFilterOf(teamId: string, query: TasksQuery): TaskFilter {
  const { service_id: serviceId, created_after: after, created_before: before } = query;
  const phases = phasesOf(query);
  return {
    teamId,
    ...(serviceId === undefined ? {} : { serviceId }),
    ...(phases === null ? {} : { phases }),
    ...(after === undefined ? {} : { createdFrom: instantOf(after) }),
    ...(before === undefined ? {} : { createdBefore: instantOf(before) }),
  };
}

const PHASES_OF_STATE: Readonly<Record<PublicState, readonly TaskPhaseKind[]>> = {
  PENDING: ["queued", "running"],
  SUCCESS: ["succeeded"],
  FAILURE: ["failed", "cancelled", "timed_out", "expired"],
};

/** Null for all. */
function phasesOf({ state, phase }: TasksQuery): readonly TaskPhaseKind[] | null {
  const ofState = state === undefined ? null : PHASES_OF_STATE[state];
  if (phase === undefined) return ofState;
  return ofState === null || ofState.includes(phase) ? [phase] : [];
}
