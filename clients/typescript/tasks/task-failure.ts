/** Why a task ended without a result: a closed list, in which `reason` distinguishes. */
import { ElasticError } from "../errors/elastic-error.ts";
import type { Task } from "../records/records.ts";

type FailureRecord = NonNullable<Task["failure"]>;

export type FailureReason = FailureRecord["reason"];

type FailureFor<Reason extends FailureReason> = Omit<FailureRecord, "reason"> & { readonly reason: Reason };

/** `switch (failure.reason)` narrows it. `retryable` is whether the same task may succeed if it is created again. */
export type TaskFailure = { readonly [Reason in FailureReason]: FailureFor<Reason> }[FailureReason];

export class TaskFailedError extends ElasticError {
  override readonly name = "TaskFailedError";
  readonly failure: TaskFailure;
  /** Its record, as it ended. */
  readonly task: Task;

  constructor(task: Task, failure: TaskFailure) {
    super(`The task ${task.task_id} ended without a result: ${failure.reason}: ${failure.message}`);
    this.task = task;
    this.failure = failure;
  }
}

/** Null unless the task has failed. */
export function failureOf(task: Task): TaskFailure | null {
  return task.failure;
}
