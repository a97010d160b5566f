/** Which tasks a list requests. */
import { isId } from "@elastic/std/ids.ts";
import { z } from "zod";
import { FAILURE_REASONS, phaseOf } from "../domain/failure.ts";
import type { TaskFilter, TaskPhaseKind } from "../store/store.ts";
import { pageQuerySchema } from "./page.ts";
import { type PublicState, publicPhases, publicStates } from "./task-record.ts";
import { instantOf, timeQuerySchema } from "./timestamp.ts";

/** Shorter ones would have to be counted among all tasks of a team. */
const ID_PREFIX = /^[0-9a-f]{8,32}$/;

/** What tasks are looked for by, in lists and wherever many are named at once. */
export const taskFilterMembers = {
  state: z.enum(publicStates).optional(),
  phase: z.enum(publicPhases).optional(),
  reason: z.enum(FAILURE_REASONS).optional().describe("Tasks that ended without success for this reason."),
  created_after: timeQuerySchema.optional().describe("Tasks created in this second or later."),
  created_before: timeQuerySchema.optional().describe("Tasks created before this second."),
  id_prefix: z
    .string()
    .regex(ID_PREFIX, "8 to 32 lower-case hexadecimal characters")
    .optional()
    .describe("Tasks whose id begins with this, or is it."),
};

export const serviceTasksQuerySchema = pageQuerySchema.extend({
  ...taskFilterMembers,
  cursor: z
    .string()
    .refine(isId)
    .optional()
    .describe(
      "`next_cursor` of the previous response. `page` is ignored with it: `page` of the response is 1, `total` and `pages` " +
        "are those of the full list, and `next_cursor` is null at the end.",
    ),
});

export const tasksQuerySchema = serviceTasksQuerySchema.extend({ service_id: z.string().optional() });

export type TasksQuery = z.output<typeof tasksQuerySchema>;

export type TaskFilterQuery = Omit<TasksQuery, "page" | "size" | "cursor">;

export function taskFilterOf(teamId: string, query: TaskFilterQuery): TaskFilter {
  const { service_id: serviceId, created_after: after, created_before: before, id_prefix: idPrefix } = query;
  return {
    teamId,
    ...(serviceId === undefined ? {} : { serviceId }),
    ...outcomeOf(query),
    ...(after === undefined ? {} : { createdFrom: instantOf(after) }),
    ...(before === undefined ? {} : { createdBefore: instantOf(before) }),
    ...(idPrefix === undefined ? {} : { idPrefix }),
  };
}

const PHASES_OF_STATE: Readonly<Record<PublicState, readonly TaskPhaseKind[]>> = {
  PENDING: ["queued", "running"],
  SUCCESS: ["succeeded"],
  FAILURE: ["failed", "cancelled", "timed_out", "expired"],
};

/** State, phase and reason together. A reason implies the phase: with another phase no task matches. */
function outcomeOf({ state, phase, reason }: TaskFilterQuery): Pick<TaskFilter, "phases" | "reason"> {
  const phases = phasesOf(state, phase);
  if (reason === undefined) return phases === null ? {} : { phases };
  return phases === null || phases.includes(phaseOf(reason)) ? { reason } : { phases: [] };
}

/** Null for all. */
function phasesOf(state: TaskFilterQuery["state"], phase: TaskFilterQuery["phase"]): readonly TaskPhaseKind[] | null {
  const ofState = state === undefined ? null : PHASES_OF_STATE[state];
  if (phase === undefined) return ofState;
  return ofState === null || ofState.includes(phase) ? [phase] : [];
}
