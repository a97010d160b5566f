/**
 * The stages of a task's life, for whoever measures how long each takes. Nobody listens in service: then a stage costs the
 * look whether anybody does.
 */
import { channel } from "node:diagnostics_channel";

export const TASK_STAGES = [
  "accepted",
  "durable",
  "sent",
  "received",
  "called",
  "answered",
  "reported",
  "ended",
  "published",
] as const;

export type TaskStage = (typeof TASK_STAGES)[number];

export interface ReachedStage {
  readonly taskId: string;
  readonly stage: TaskStage;
}

export const TASK_STAGE_CHANNEL = "elastic:task-stage";

const stages = channel(TASK_STAGE_CHANNEL);

export function reachedStage(stage: TaskStage, taskId: string): void {
  if (stages.hasSubscribers) stages.publish({ stage, taskId } satisfies ReachedStage);
}
