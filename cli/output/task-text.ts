/** A task as `task info` prints it. */
import type { TaskRecord } from "../api/records.ts";
import { type Field, fieldLines } from "./fields.ts";

/** The view without a flag. */
export function taskText(task: TaskRecord): string {
  return fieldLines(summary(task));
}

/** The view with `-d`: everything, the proof in the result. */
export function taskDetailText(task: TaskRecord): string {
  return fieldLines([
    ...summary(task),
    ["service id", task.service_id],
    ["creator id", task.creator_id],
    ["phase", task.phase],
    ...waiting(task),
    ["attempt", task.attempt],
    ["created", task.created],
    ["started", task.started],
    ["finished", task.finished],
    ["input", task.input],
    ["result", task.result],
    ...failure(task),
  ]);
}

function summary(task: TaskRecord): Field[] {
  return [
    ["service name", task.service_name],
    ["task id", task.task_id],
    ["state", task.state],
    ["result url", task.result_url],
    ...progress(task),
  ];
}

/** Of a running task whose prover says how far it is. Services of the version before do not say. */
function progress({ progress }: TaskRecord): Field[] {
  if (!progress) return [];
  const message = progress.message === "" ? "" : `, ${progress.message}`;
  return [["progress", `${Math.floor(progress.fraction * 100)} %${message}`]];
}

/** Of a queued task. Services of the version before do not say. */
function waiting({ waiting }: TaskRecord): Field[] {
  return waiting ? [["waiting", `${waiting.reason}: ${waiting.message}`]] : [];
}

function failure({ failure }: TaskRecord): Field[] {
  if (failure === null) return [];
  return [
    ["failure", `${failure.reason}: ${failure.message}`],
    ["log tail", failure.log_tail],
  ];
}
