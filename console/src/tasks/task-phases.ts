/** The phases of a task, and the state that each is of. */
import type { components } from "elastic-client/gen/schema.ts";

type Task = components["schemas"]["Task"];
export type Phase = Task["phase"];
export type TaskState = Task["state"];

const STATE_OF_PHASE: Readonly<Record<Phase, TaskState>> = {
  queued: "PENDING",
  running: "PENDING",
  succeeded: "SUCCESS",
  failed: "FAILURE",
  cancelled: "FAILURE",
  timed_out: "FAILURE",
  expired: "FAILURE",
};

export const PHASES = Object.keys(STATE_OF_PHASE) as readonly Phase[];

export const STATE_COLORS: Readonly<Record<TaskState, string>> = {
  PENDING: "yellow",
  SUCCESS: "green",
  FAILURE: "red",
};

export const STATES = Object.keys(STATE_COLORS) as readonly TaskState[];
